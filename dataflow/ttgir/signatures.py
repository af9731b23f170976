"""What an op's text tells about the types of its results.

Most ops print the types of operands and results after a colon. Some leave out what their definition implies;
these rules fill it in, each named after the op that needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .types import UNKNOWN, Descriptor, Opaque, Pointer, Scalar, Tensor, Type

TOKEN = Opaque("!ttg.async.token")
_BOOLEAN = Scalar("i1")


@dataclass(frozen=True, slots=True)
class Signature:
    """The types that are printed. before: in front of `->` or `to`; after: behind it; arrow: whether there is one."""

    before: tuple[Type, ...] = ()
    after: tuple[Type, ...] = ()
    arrow: bool = False


def result_types(name: str, signature: Signature, operands: Sequence[Type], count: int) -> tuple[Type, ...]:
    """The types of the `count` results of an op. operands: the types of the values it uses."""
    if not count:
        return ()
    rule = _RULES.get(name)
    if rule is not None:
        found = rule(signature, operands)
    elif name in _TOKEN_MAKERS:
        found = (TOKEN,) * count
    elif signature.arrow:
        found = signature.after
    elif len(signature.before) in (1, count):
        found = signature.before if len(signature.before) == count else signature.before * count
    else:
        found = ()
    if len(found) == count - 1 and name.partition(".")[0] in ("ttng", "ttg", "amdg", "amdgpu"):
        found = (*found, TOKEN)  # of an asynchronous op: its type is never printed
    return found if len(found) == count else (UNKNOWN,) * count


_TOKEN_MAKERS = frozenset(
    """ttg.async_copy_global_to_local ttg.async_commit_group ttg.async_wait amdg.buffer_load_to_local
    amdgpu.buffer_load_to_local amdg.async_copy_local_to_global amdg.async_tdm_copy_global_to_local
    amdg.async_tdm_copy_local_to_global amdg.async_tdm_wait amdg.async_wait amdg.async_tdm_gather
    amdg.async_tdm_scatter ttng.tmem_store""".split()
)


def _like(of: Type, element: Type) -> Type:
    return Tensor(of.shape, element, of.encoding) if isinstance(of, Tensor) else element


def _first(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    return signature.before[:1] or tuple(operands[:1])


def _last(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    return signature.before[-1:]


def _compare(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    return tuple(_like(t, _BOOLEAN) for t in signature.before[:1])


def _load(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    if signature.after:
        return signature.after
    (pointer,) = _first(signature, operands)
    if isinstance(pointer, Pointer):
        return (pointer.pointee,)
    if isinstance(pointer, Tensor) and isinstance(pointer.element, Pointer):
        return (_like(pointer, pointer.element.pointee),)
    return (UNKNOWN,)


def _make_descriptor(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    made = (signature.after or signature.before)[-1:]
    return tuple(Descriptor(t.pointee) if isinstance(t, Pointer) and isinstance(t.pointee, Tensor) else t for t in made)


def _select(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    return _last(signature, operands) or tuple(operands[1:2])


def _overflow(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    return tuple(t for of in signature.before[:1] for t in (of, _like(of, _BOOLEAN)))


def _split(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    return signature.after * 2 if len(signature.after) == 1 else signature.after


def _index(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    return signature.before or (Scalar("index"),)


def _same(signature: Signature, operands: Sequence[Type]) -> tuple[Type, ...]:
    return tuple(operands[:1])


_RULES: Mapping[str, Callable[[Signature, Sequence[Type]], tuple[Type, ...]]] = {
    "tt.load": _load,
    "tt.addptr": _first,
    "tt.advance": _first,
    "tt.make_tensor_ptr": _last,
    "tt.make_tensor_descriptor": _make_descriptor,
    "tt.split": _split,
    "arith.cmpi": _compare,
    "arith.cmpf": _compare,
    "arith.select": _select,
    "arith.addui_extended": _overflow,
    "gpu.thread_id": _index,
    "gpu.block_id": _index,
    "amdg.update_tensor_descriptor": _same,
}
