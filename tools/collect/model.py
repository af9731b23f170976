"""What a collection is about: kernels as their module describes them, and how they are to be compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Constant = bool | int | float | str | None | list["Constant"]
"""Of a kernel, as JSON or YAML write it. A string `tl.NAME` is a member of triton.language, `@NAME` a function."""

Attributes = Mapping[str, tuple[tuple[str, int], ...]]
"""By argument, what Triton may assume: ("tt.divisibility", 16), ("tt.pointer_range", 32)."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a function of Triton's. default: None also where JSON cannot hold it."""

    name: str
    constexpr: bool
    annotation: str
    has_default: bool
    default: Constant


@dataclass(frozen=True, slots=True)
class Function:
    """Any function of Triton's. calls: by the name used in it, the identity (`module:name`) of what it calls."""

    source: str
    line: int
    parameters: tuple[Parameter, ...]
    calls: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Configuration:
    """One of those that a kernel is tuned over."""

    constants: Mapping[str, Constant]
    num_warps: int
    num_stages: int


@dataclass(frozen=True, slots=True)
class Description:
    """A kernel. function: its identity in `functions`; heuristics: the constants that its module computes."""

    kernel: str
    function: str
    functions: Mapping[str, Function]
    configurations: tuple[Configuration, ...]
    heuristics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """Of the compilation. None: not said."""

    num_warps: int | None = None
    num_stages: int | None = None
    waves_per_eu: int | None = None

    def as_json(self) -> dict[str, int]:
        """What is said, by Triton's names."""
        named = {"num_warps": self.num_warps, "num_stages": self.num_stages, "waves_per_eu": self.waves_per_eu}
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Signature:
    """How a kernel is compiled.

    types: of the arguments that are no constants. derive: constants to be computed by the module's heuristics, if
    they can be.
    """

    kernel: str
    types: Mapping[str, str]
    constants: Mapping[str, Constant]
    derive: tuple[str, ...] = ()
    attributes: Attributes = field(default_factory=dict[str, tuple[tuple[str, int], ...]])
    options: Options = Options()
