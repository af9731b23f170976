#!/bin/sh
# Makes the example reports: docs/examples/make.sh [DIR [NAME...]], from the root of the repository.
# DIR: where to, this folder if it is not given. NAME: of a kernel in reproducers/, all of those below if none is.
set -eu
out=${1:-docs/examples}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- insert_spill_65 redundant_spill insert_spill_large rope-triton-3.9.0
for name; do
    # reduced/ has tests of the same names
    kernel=$(ls reproducers/miscompiles/"$name".ll reproducers/attention/"$name".llir 2>/dev/null || :)
    sarif="--sarif $out/$name.sarif"
    # 19 findings with their paths are half a megabyte
    [ "$name" != insert_spill_large ] || sarif=
    status=0
    # shellcheck disable=SC2086
    regtriage run "$kernel" --html "$out/$name.html" --markdown="$out/$name.md" $sarif >/dev/null || status=$?
    # each of them is miscompiled
    [ $status -eq 1 ] || exit 3
done
