#!/bin/sh
# Exits with 0 if the candidate still has the miscompile that is looked for. llvm-reduce hands it over as $1; cvise
# leaves it in the current folder, under the name of the kernel.
candidate=${1:-${KERNEL:-kernel.ll}}

undefined=$(grep -oEw 'undef|poison|IMPLICIT_DEF' "$candidate" | wc -l)
[ "$undefined" -le "${UNDEFINED:-0}" ] || exit 1

regtriage run "$candidate" --variant off --variant private --json 2>/dev/null | python3 -c '
import json, os, sys

try:
    report = json.load(sys.stdin)
except ValueError:  # the candidate is no kernel any more
    sys.exit(1)
exit_ = os.environ["EXIT"]
for function in report["functions"]:
    off = next(v for v in function["variants"] if v["variant"] == "off")
    same = any(f["exit"] == exit_ and f["layer"] == "rewritten" for f in off["findings"])
    shown = off["confirmed"] is not None and off["confirmed"]["differ"] > 0
    cured = any(c["variant"] == "private" and c["how"] == "cause" for c in function["cures"])
    if same and shown and cured:
        sys.exit(0)
sys.exit(1)
'
