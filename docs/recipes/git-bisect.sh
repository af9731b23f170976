#!/bin/sh
# git bisect run sh git-bisect.sh: is this commit's llc right about $KERNEL?
# 0 right, 1 a miscompile is proved, 125 (skip) llc does not build, cannot read the kernel, or nothing is proved.
build=${BUILD:-build}
sh -c "${MAKE_LLC:-ninja -C '$build' llc}" || exit 125
regtriage run "${KERNEL:?names the kernel}" --llc "$build/bin/llc" --variant off --confirm 0
case $? in
0) exit "${FOUND:-0}" ;;
1) exit $((1 - ${FOUND:-0})) ;;
*) exit 125 ;;
esac
