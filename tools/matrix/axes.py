"""What a matrix varies: axes with their values, and the compile that a choice of one value on each stands for."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from regtriage.tools.llc.run import InputError, Variant

MOST_CELLS = 4096

_ATTRIBUTES = {
    "waves-per-eu": "amdgpu-waves-per-eu",
    "num-sgpr": "amdgpu-num-sgpr",
    "num-vgpr": "amdgpu-num-vgpr",
    "work-group-size": "amdgpu-flat-work-group-size",
}
_ANY_ATTRIBUTE = "attr:"
NAMES = (*_ATTRIBUTES, "llc-arg", "mcpu", "O", "variant")
"""Of axes, as a user writes them."""

AS_IS = "as is"
"""How the empty value is shown: nothing is set."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One thing that is varied. values: as they are shown, in order, each once."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What one cell compiles with. attributes: of every function. None: what the matrix has for all cells."""

    attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    llc_args: tuple[str, ...] = ()
    cpu: str | None = None
    opt: int | None = None
    variant: Variant | None = None


def parse_axis(text: str) -> Axis:
    """Read `NAME=VALUE,VALUE…`. Raises InputError, also for a value that its axis does not know."""
    name, equals, rest = text.partition("=")
    known = name in NAMES or (name.startswith(_ANY_ATTRIBUTE) and name != _ANY_ATTRIBUTE)
    if not known or not equals:
        raise InputError(f"--vary {text}: error: not NAME=VALUE,… with a NAME of {', '.join(NAMES)}, attr:NAME")
    values = tuple(dict.fromkeys(value.strip() or AS_IS for value in rest.split(",")))
    axis = Axis(name, values)
    for value in values:
        _check(axis, value)
    return axis


def cells(axes: Sequence[Axis]) -> Iterator[tuple[str, ...]]:
    """Every choice of a value on each axis, the last axis fastest. Raises InputError for too many or none."""
    names = [axis.name for axis in axes if axis.name != "llc-arg"]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"--vary {twice}: error: varied twice")
    count = 1
    for axis in axes:
        count *= len(axis.values)
    if not axes or count > MOST_CELLS:
        raise InputError(f"--vary: error: {count if axes else 'no'} cells; there can be up to {MOST_CELLS}")
    return itertools.product(*(axis.values for axis in axes))


def setting(axes: Sequence[Axis], values: Sequence[str]) -> Setting:
    """What a cell compiles with."""
    attributes: dict[str, str] = {}
    llc_args: tuple[str, ...] = ()
    cpu: str | None = None
    opt: int | None = None
    variant: Variant | None = None
    for axis, value in zip(axes, values, strict=True):
        if value == AS_IS:
            continue
        if axis.name == "llc-arg":
            llc_args += tuple(shlex.split(value))
        elif axis.name == "mcpu":
            cpu = value
        elif axis.name == "O":
            opt = int(value)
        elif axis.name == "variant":
            variant = Variant(value)
        else:
            attribute = _ATTRIBUTES.get(axis.name) or axis.name.removeprefix(_ANY_ATTRIBUTE)
            # A value of two numbers has a comma in it, which ends a value here.
            attributes[attribute] = value.replace(":", ",")
    return Setting(attributes, llc_args, cpu, opt, variant)


def _check(axis: Axis, value: str) -> None:
    if value == AS_IS:
        return
    wrong = ""
    if axis.name == "variant" and value not in set(Variant):
        wrong = f"the variants are {', '.join(Variant)}"
    elif axis.name == "O" and value not in ("0", "1", "2", "3"):
        wrong = "from 0 to 3"
    elif axis.name in _ATTRIBUTES and not all(part.isdecimal() for part in value.split(":")):
        wrong = "a number, or two as 1:4"
    elif axis.name not in _ATTRIBUTES and '"' in value and axis.name != "llc-arg":
        wrong = "no quotes"
    if wrong:
        raise InputError(f"--vary {axis.name}={value}: error: {wrong}")
