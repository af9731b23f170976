"""Which compilers a command is to use, as its options say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from regtriage.tools.llc.run import GuardFlags

_PACKAGED = ("builtin", "triton")
"""Compilers that are not the user's own: guard flags are not meant for them, unless there is no other."""

_F = TypeVar("_F", bound=Callable[..., Any])


def guard_option(function: _F) -> _F:
    """`--guard-flag`, as the argument `guard_flag` of `chosen_compilers`."""
    option = click.option(
        "--guard-flag",
        metavar="on=F,off=F",
        help="The flags that turn the guard of your own compiler on and off.",
    )
    return option(function)


def chosen_compilers(specs: Sequence[str], guard_flag: str | None) -> list[tuple[str, GuardFlags | None]]:
    """Each compiler once, with the guard flags if they are meant for it. Without any it is the built-in one."""
    compilers = tuple(dict.fromkeys(specs)) or ("builtin",)
    guard = _guard_flags(guard_flag) if guard_flag is not None else None
    own = [compiler for compiler in compilers if compiler not in _PACKAGED] or compilers
    return [(compiler, guard if compiler in own else None) for compiler in compilers]


def _guard_flags(text: str) -> GuardFlags:
    """Read `on=FLAG,off=FLAG`, in either order; a flag may hold commas and may be empty."""
    found = re.fullmatch(r"on=(?P<on>.*),off=(?P<off>.*)|off=(?P<off2>.*),on=(?P<on2>.*)", text, re.S)
    if found is None:
        raise click.BadParameter(f"'{text}' is not on=FLAG,off=FLAG", param_hint="'--guard-flag'")
    return GuardFlags(on=found["on"] or found["on2"] or "", off=found["off"] or found["off2"] or "")
