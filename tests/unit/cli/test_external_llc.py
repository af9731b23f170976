"""A compiler of the user's own, named by its path and nothing else."""

from __future__ import annotations

import json

from regtriage.tools.llc.run import BuiltinLlc

from .program import MISCOMPILED, run


def test_without_guard_flags_only_off_is_made():
    done = run("run", MISCOMPILED, "--json", "--confirm", "0", "--llc", BuiltinLlc().identity.path)
    assert done.returncode == 1, done.stderr
    (function,) = json.loads(done.stdout)["functions"]
    assert [v["variant"] for v in function["variants"]] == ["off"]
    assert function["conclusion"] == "miscompiled"


def test_no_greedy_allocator_at_o0():
    done = run("run", MISCOMPILED, "-O0", "--variant", "off")
    assert done.returncode == 2
    assert done.stderr == f"{MISCOMPILED}: error: no greedy register allocation was run: at -O0 LLVM allocates without it\n"
