"""Which functions of some Python files are kernels, from their text: nothing is imported.

A kernel is a function under a decorator `jit` that returns no value and that no such function calls. A call is
followed into another file where that file's name is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Source:
    """One file. parameters: by function under `jit`; calls: the names that these call."""

    parameters: Mapping[str, tuple[str, ...]]
    returning: frozenset[str]
    calls: frozenset[str]

    @property
    def calls_elsewhere(self) -> frozenset[str]:
        """Names that are called here and defined in another file."""
        return self.calls - self.parameters.keys()


def read_source(path: Path) -> Source:
    """Survey a file. One that is no Python has no functions: its import will say why."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return Source({}, frozenset(), frozenset())
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and any(map(_is_jit, n.decorator_list))]
    imported = {
        alias.asname: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    called = {
        n.func.id for f in functions for n in ast.walk(f) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    return Source(
        parameters={f.name: _parameters(f.args) for f in functions},
        returning=frozenset(f.name for f in functions if _returns_value(f)),
        calls=frozenset(imported.get(name, name) for name in called),
    )


def kernels_of(sources: Mapping[Path, Source]) -> dict[Path, frozenset[str]]:
    """By file, the names of its kernels."""
    elsewhere = frozenset[str]().union(*(s.calls_elsewhere for s in sources.values()))
    return {path: frozenset(s.parameters) - s.returning - s.calls - elsewhere for path, s in sources.items()}


def _is_jit(decorator: ast.expr) -> bool:
    inner = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (isinstance(inner, ast.Attribute) and inner.attr == "jit") or (
        isinstance(inner, ast.Name) and inner.id == "jit"
    )


def _parameters(arguments: ast.arguments) -> tuple[str, ...]:
    return tuple(a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def _returns_value(function: ast.FunctionDef) -> bool:
    return any(_has_value(n) for n in _own_nodes(function) if isinstance(n, ast.Return))


def _has_value(node: ast.Return) -> bool:
    return node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None)


def _own_nodes(function: ast.FunctionDef) -> Iterable[ast.AST]:
    return (n for statement in function.body for n in ast.walk(statement))
