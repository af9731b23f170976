"""The list of signatures: YAML, of which JSON is a part.

    kernels:
      - kernel: add                         # or module.path:add
        arguments: {x: "*bf16", n: i32}     # types, as Triton writes them
        constants: {BLOCK: 1024}            # `tl.float32` is a type, `@function` a function of the module
        attributes: {x: {divisibility: 16, pointer_range: 32}, n: {divisibility: 16}}
        options: {num_warps: 4, num_stages: 2, waves_per_eu: 2}

Only `kernel` is needed where the rest may be guessed: what is written here then replaces what is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml
from regtriage.tools.llc.errors import InputError

from .model import Attributes, Constant, Options

_OPTIONS = ("num_warps", "num_stages", "waves_per_eu")
_FIELDS = ("kernel", "arguments", "constants", "attributes", "options")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One entry. module: "" for any; attributes: None if not said."""

    kernel: str
    module: str
    types: Mapping[str, str]
    constants: Mapping[str, Constant]
    attributes: Attributes | None
    options: Options
    place: str
    """`file:line:col`."""

    def fits(self, module: str, kernel: str) -> bool:
        """Whether the entry is about that kernel."""
        return self.kernel == kernel and (
            not self.module or module == self.module or module.endswith("." + self.module)
        )


def read_signatures(path: Path) -> tuple[Wanted, ...]:
    """The entries of a file. Raises InputError with the place."""
    try:
        root = yaml.CSafeLoader(path.read_text(encoding="utf-8")).get_single_node()
    except OSError as error:
        raise InputError(f"{path}: error: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        raise InputError(f"{place}: error: {getattr(error, 'problem', None) or error}") from None
    entries = _field(root, "kernels") if isinstance(root, yaml.MappingNode) else None
    if not isinstance(entries, yaml.SequenceNode):
        raise InputError(f"{path}:1:1: error: no list `kernels`")
    return tuple(_entry(path, node) for node in entries.value)


def _field(node: yaml.MappingNode, name: str) -> yaml.Node | None:
    return next((value for key, value in node.value if key.value == name), None)


def _entry(path: Path, node: yaml.Node) -> Wanted:
    place = _place(path, node)
    if not isinstance(node, yaml.MappingNode):
        raise InputError(f"{place}: error: not a mapping with `kernel`")
    for key, _ in node.value:
        if key.value not in _FIELDS:
            raise InputError(f"{_place(path, key)}: error: unknown field `{key.value}` (known: {', '.join(_FIELDS)})")
    values: dict[str, Any] = {
        key.value: yaml.CSafeLoader("").construct_document(value)  # type: ignore[no-untyped-call]
        for key, value in node.value
    }
    named = values.get("kernel")
    if not isinstance(named, str) or not named:
        raise InputError(f"{place}: error: no `kernel`")
    for name in _FIELDS[1:]:
        if not isinstance(values.get(name, {}), dict):
            raise InputError(f"{_place(path, _field(node, name))}: error: `{name}` is not a mapping")
    types: dict[str, Any] = values.get("arguments", {})
    for name, kind in types.items():
        if not isinstance(kind, str):
            raise InputError(f"{_place(path, _field(node, 'arguments'))}: error: the type of `{name}` is not a string")
    module, _, kernel = named.rpartition(":")
    return Wanted(
        kernel=kernel,
        module=module,
        types=types,
        constants=values.get("constants", {}),
        attributes=_attributes(values["attributes"], _place(path, node)) if "attributes" in values else None,
        options=_options(values.get("options", {}), _place(path, _field(node, "options"))),
        place=place,
    )


def _attributes(given: dict[str, Any], place: str) -> Attributes:
    result: dict[str, tuple[tuple[str, int], ...]] = {}
    for argument, pairs in given.items():
        if not isinstance(pairs, dict) or not all(isinstance(n, int) for n in cast("dict[str, Any]", pairs).values()):
            raise InputError(f"{place}: error: attributes of `{argument}` are not NAME: NUMBER")
        result[argument] = tuple((f"tt.{name}", number) for name, number in cast("dict[str, int]", pairs).items())
    return result


def _options(given: dict[str, Any], place: str) -> Options:
    for name, value in given.items():
        if name not in _OPTIONS or isinstance(value, bool) or not isinstance(value, int):
            raise InputError(
                f"{place}: error: option `{name}: {value}` is not one of {', '.join(_OPTIONS)} with a number"
            )
    return Options(**given)


def _place(path: Path, node: yaml.Node | None) -> str:
    mark = node.start_mark if node is not None else None
    return f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
