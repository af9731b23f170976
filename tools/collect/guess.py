"""Guesses how a Triton kernel is called, from its source.

What an argument is for follows from its uses, also those in the functions that it is handed to: the base of an
address is a pointer, a pointer whose elements end up in addresses, loop bounds or integer division is one to
integers, a constant under `if` is a flag, one in `tl.arange` a power of two, and so on. Names decide the rest, as
kernels of this kind are named much alike. A guess may be wrong: Triton says so, and the next one is tried.
"""

from __future__ import annotations

import ast
import enum
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .model import Constant, Description, Function, Options, Parameter, Signature

ALIGNED = (("tt.divisibility", 16),)
BUFFER = (*ALIGNED, ("tt.pointer_range", 32))
"""Triton reaches a pointer through a buffer descriptor (four scalar registers) only if it may assume that 32
bits of offset are enough."""


class Use(enum.Enum):
    """What a function does with an argument."""

    BASE = enum.auto()  # of an address
    INTEGERS = enum.auto()  # a base whose elements are used as integers
    POINTERS = enum.auto()  # a base whose elements are cast to pointers
    FLAG = enum.auto()
    TYPE = enum.auto()
    CALLED = enum.auto()
    EXTENT = enum.auto()  # of a tensor
    PRECISION = enum.auto()  # of a product
    COUNT = enum.auto()  # of unrolled iterations
    OPTIONAL = enum.auto()  # compared with None
    DESCRIPTOR = enum.auto()
    REAL = enum.auto()  # an argument of a function of real numbers
    INTEGER = enum.auto()  # in an address, a loop bound or an operation of integers


@dataclass(slots=True)
class Uses:
    """Of all arguments of one function.

    choices: the strings and numbers that an argument is compared with; elements: the type that its elements must have.
    """

    of: dict[str, set[Use]] = field(default_factory=dict[str, set[Use]])
    choices: dict[str, list[str | int]] = field(default_factory=dict[str, "list[str | int]"])
    elements: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, name: str, *uses: Use) -> None:
        """Record the uses."""
        self.of.setdefault(name, set()).update(uses)

    def has(self, name: str, use: Use) -> bool:
        """Whether there is one."""
        return use in self.of.get(name, ())


def uses_of(identity: str, functions: Mapping[str, Function], open_: frozenset[str] = frozenset()) -> Uses:
    """The uses of each parameter in the function and in what it calls."""
    function = functions[identity]
    try:
        tree = ast.parse(textwrap.dedent(function.source))
    except SyntaxError:
        return Uses()
    callees = {
        local: (functions[callee].parameters, uses_of(callee, functions, open_ | {identity}))
        for local, callee in function.calls.items()
        if callee in functions and callee not in open_ and callee != identity
    }
    return _Reader({p.name for p in function.parameters}, callees).read(tree)


_MEMORY = {
    "load", "store", "make_block_ptr", "make_tensor_descriptor", "atomic_add", "atomic_max", "atomic_min",
    "atomic_xchg", "atomic_cas", "atomic_or", "atomic_and", "atomic_xor", "buffer_load", "buffer_store",
}  # fmt: skip
_TRANSPARENT = {"multiple_of", "max_contiguous", "cast", "broadcast_to", "expand_dims", "assume", "to_tensor"}
_INTEGER_OPERATORS = (ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)
_REAL = {"exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sigmoid", "tanh"}


_FORMATS = {"e2m1": "u8", "e4m3": "fp8e4nv", "e5m2": "fp8e5", "bf16": "bf16", "fp16": "fp16"}
"""What Triton wants the elements to be, by the name of the format."""


class _Reader:
    """Walks one function until nothing new is learned."""

    def __init__(self, names: set[str], callees: Mapping[str, tuple[Sequence[Parameter], Uses]]) -> None:
        self._names = names
        self._callees = callees
        self._base: dict[str, str] = {}  # by variable, the parameter that its address starts from
        self._loaded: dict[str, set[str]] = {}  # by variable, the parameters that its value was loaded through
        self._uses = Uses()

    def read(self, tree: ast.AST) -> Uses:
        for _ in range(4):
            for node in ast.walk(tree):
                self._visit(node)
        return self._uses

    def _visit(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value)
            case ast.AugAssign(target=target, value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                self._bind(target, value)
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                self._flags(test)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                if self._base_of(left):
                    self._integers(right)
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _INTEGER_OPERATORS):
                self._integers(left)
                self._integers(right)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                self._compare(left, op, right)
            case ast.Call():
                self._call(node)
            case _:
                pass

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                self._bind(one, other)
        if not isinstance(target, ast.Name):
            return
        base = self._base_of(value)
        if base and target.id not in self._names:
            self._base.setdefault(target.id, base)
        loaded = self._loaded_in(value)
        if loaded:
            self._loaded.setdefault(target.id, set()).update(loaded)

    def _base_of(self, node: ast.expr) -> str | None:
        """The parameter that an address starts from, the leftmost of its sum."""
        match node:
            case ast.Name(id=name):
                return self._base.get(name) or (name if name in self._names else None)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
                found = self._base_of(left)
                other = self._base_of(right)
                return (
                    other if other and self._uses.has(other, Use.BASE) and not self._is_base(found) else found or other
                )
            case ast.Call(func=ast.Attribute(attr="to" | "cast", value=inner)) if not _is_triton(inner):
                return self._base_of(inner)
            case ast.Call(func=ast.Attribute(attr="advance"), args=[first, *_]):
                return self._base_of(first)
            case ast.Call(func=ast.Attribute(attr=attr), args=[first, *_]) if attr in _TRANSPARENT:
                return self._base_of(first)
            case ast.Call(func=ast.Attribute(attr="make_block_ptr"), args=[first, *_]):
                return self._base_of(first)
            case ast.IfExp(body=body, orelse=other):
                return self._base_of(body) or self._base_of(other)
            case ast.Subscript(value=value):
                return self._base_of(value)
            case _:
                return None

    def _is_base(self, name: str | None) -> bool:
        return name is not None and self._uses.has(name, Use.BASE)

    def _loaded_in(self, node: ast.expr) -> set[str]:
        """The parameters through which the value, or a part of it, was loaded and stayed a number of its type."""
        match node:
            case ast.Name(id=name):
                return self._loaded.get(name, set())
            case ast.BinOp(left=left, right=right, op=op) if not isinstance(op, ast.Div):
                return self._loaded_in(left) | self._loaded_in(right)
            case ast.Call(func=ast.Attribute(attr="load"), args=[first, *_]):
                base = self._base_of(first)
                return {base} if base else set()
            case ast.Call(func=ast.Attribute(attr="to", value=inner), args=[ast.Attribute(attr=kind), *_]):
                return self._loaded_in(inner) if "int" in kind else set()
            case ast.Call(func=ast.Attribute(attr="to", value=inner)):
                return self._loaded_in(inner)
            case ast.Call(func=ast.Attribute(attr="maximum" | "minimum" | "cdiv"), args=args):
                return set[str]().union(*map(self._loaded_in, args))
            case ast.Call(func=ast.Name(id="min" | "max"), args=args):
                return set[str]().union(*map(self._loaded_in, args))
            case ast.Subscript(value=value):
                return self._loaded_in(value)
            case _:
                return set()

    def _integers(self, node: ast.expr) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.Name | ast.Call):
                for name in self._loaded_in(part):
                    self._uses.add(name, Use.INTEGERS)
        for part in _operands(node):
            self._mark(part, Use.INTEGER)

    def _flags(self, test: ast.expr) -> None:
        match test:
            case ast.Name(id=name) if name in self._names:
                self._uses.add(name, Use.FLAG)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._flags(operand)
            case ast.BoolOp(values=values):
                for value in values:
                    self._flags(value)
            case _:
                pass

    def _compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> None:
        if isinstance(left, ast.Name) and left.id in self._names:
            match right:
                case ast.Constant(value=None):
                    self._uses.add(left.id, Use.OPTIONAL)
                case ast.Constant(value=bool()):
                    self._uses.add(left.id, Use.FLAG)
                case ast.Constant(value=str() | int() as choice) if isinstance(op, ast.Eq | ast.NotEq):
                    self._choice(left.id, choice)
                case ast.Tuple(elts=parts) | ast.List(elts=parts) if isinstance(op, ast.In):
                    for part in parts:
                        if isinstance(part, ast.Constant) and isinstance(part.value, str | int):
                            self._choice(left.id, part.value)
                case ast.Attribute(value=ast.Name(id="tl")):
                    self._uses.add(left.id, Use.TYPE)
                case _:
                    pass

    def _choice(self, name: str, choice: str | int) -> None:
        choices = self._uses.choices.setdefault(name, [])
        if choice not in choices:
            choices.append(choice)

    def _call(self, node: ast.Call) -> None:
        function = node.func
        for keyword in node.keywords:
            if keyword.arg in ("dtype", "out_dtype", "output_dtype"):
                self._mark(keyword.value, Use.TYPE)
            if keyword.arg == "input_precision":
                self._mark(keyword.value, Use.PRECISION)
            if keyword.arg in ("block_shape", "shape"):
                self._extents(keyword.value, Use.EXTENT)
        match function:
            case ast.Name(id=name):
                if name in self._names:
                    self._uses.add(name, Use.CALLED)
                elif name == "range":
                    for argument in node.args:
                        self._integers(argument)
                elif name in self._callees:
                    self._through(node, *self._callees[name])
            case ast.Attribute(attr=attr, value=receiver):
                self._method(node, attr, receiver)
            case _:
                pass

    def _method(self, node: ast.Call, attr: str, receiver: ast.expr) -> None:
        arguments = node.args or [k.value for k in node.keywords if k.arg in ("pointer", "base")]
        if _is_triton(receiver) and attr in _MEMORY and arguments:
            base = self._base_of(arguments[0])
            if base:
                self._uses.add(base, Use.BASE)
            for offset in [k.value for k in node.keywords if k.arg == "offsets"] + node.args[3:4]:
                self._integers(offset)
        elif (
            attr in ("load", "store", "gather", "scatter")
            and isinstance(receiver, ast.Name)
            and not _is_triton(receiver)
        ):
            self._mark(receiver, Use.DESCRIPTOR)
        elif attr == "to" and node.args:
            self._mark(node.args[0], Use.TYPE)
            if any(isinstance(part, ast.Attribute) and part.attr == "pointer_type" for part in ast.walk(node.args[0])):
                for name in self._loaded_in(receiver):
                    self._uses.add(name, Use.POINTERS)
        elif attr == "arange":
            for argument in node.args:
                self._extents(argument, Use.EXTENT)
        elif attr in ("zeros", "full", "ones") and node.args:
            self._extents(node.args[0], Use.EXTENT)
            self._mark(node.args[-1], Use.TYPE) if len(node.args) > 1 else None
        elif attr in ("static_range", "range"):
            for argument in node.args:
                self._integers(argument)
                if attr == "static_range":
                    self._mark(argument, Use.COUNT)
        elif attr == "make_block_ptr" and len(node.args) > 4:
            self._extents(node.args[4], Use.EXTENT)
        elif attr == "dot_scaled":
            self._scaled(node.args)
        elif attr in _REAL and node.args:
            self._mark(node.args[0], Use.REAL)

    def _scaled(self, arguments: Sequence[ast.expr]) -> None:
        """Operands of a product of scaled numbers: value, scale and format of each."""
        for value, scale, name in (arguments[:3], arguments[3:6]) if len(arguments) >= 6 else ():
            kind = _FORMATS.get(name.value) if isinstance(name, ast.Constant) and isinstance(name.value, str) else None
            for operand, element in ((value, kind), (scale, "u8")):
                for base in self._loaded_in(operand) if element else ():
                    self._uses.elements.setdefault(base, element or "")

    def _mark(self, node: ast.expr, use: Use) -> None:
        if isinstance(node, ast.Name) and node.id in self._names:
            self._uses.add(node.id, use)

    def _extents(self, node: ast.expr, use: Use) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in self._names:
                self._uses.add(part.id, use)

    def _through(self, node: ast.Call, parameters: Sequence[Parameter], inner: Uses) -> None:
        """An argument is used as the called function uses its parameter."""
        handed = list(zip((p.name for p in parameters), node.args, strict=False))
        handed += [(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg]
        for name, value in handed:
            uses = inner.of.get(name, set())
            base = self._base_of(value) if uses & {Use.BASE, Use.INTEGERS, Use.POINTERS} else None
            if base and name in inner.elements:
                self._uses.elements.setdefault(base, inner.elements[name])
            if base:
                self._uses.add(base, *uses & {Use.BASE, Use.INTEGERS, Use.POINTERS})
            elif isinstance(value, ast.Name) and value.id in self._names:
                self._uses.add(value.id, *uses)
                for choice in inner.choices.get(name, ()):
                    self._choice(value.id, choice)


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    """The terms and factors of a sum."""
    if isinstance(node, ast.BinOp):
        yield from _operands(node.left)
        yield from _operands(node.right)
    else:
        yield node


def _is_triton(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("tl", "gl", "triton", "language", "libdevice")


@dataclass(frozen=True, slots=True)
class Leaning:
    """What a guess takes where more than one thing is plausible. choice: which of several strings."""

    size: int = 64
    flags: bool | None = None
    """None: the default where there is one, else true."""
    element: str = "bf16"
    choice: int = 0
    warps: int = 4
    heads: int = 4
    unit_strides: bool = True
    configuration: int = 0


LEANINGS = (
    Leaning(),
    Leaning(size=128, warps=8),
    Leaning(size=64, flags=False, warps=4, element="fp16"),
    Leaning(size=32, flags=True, warps=1, configuration=-1),
    Leaning(size=32, element="fp32", choice=1),
    Leaning(size=32, flags=False, element="fp32", choice=1, unit_strides=False),
    Leaning(size=128, flags=False, warps=4, choice=2),
    Leaning(size=16, flags=False, warps=1, element="bf16"),
    Leaning(size=64, flags=True, element="i32"),
    Leaning(size=128, element="fp8e4nv", flags=False, warps=8),
    Leaning(size=1024, flags=False, warps=4),
    Leaning(size=256, flags=True, warps=8, element="fp32"),
)
"""In the order in which they are tried."""


def guesses(description: Description, options: Options, leanings: Sequence[Leaning] = LEANINGS) -> Iterator[Signature]:
    """Signatures to try, most plausible first, no two equal."""
    uses = uses_of(description.function, description.functions)
    seen: list[Signature] = []
    for leaning in leanings:
        signature = _guess(description, uses, leaning, options)
        if signature not in seen:
            seen.append(signature)
            yield signature


def _guess(description: Description, uses: Uses, leaning: Leaning, options: Options) -> Signature:
    function = description.functions[description.function]
    configurations = description.configurations
    tuned = configurations[leaning.configuration] if configurations else None
    types: dict[str, str] = {}
    constants: dict[str, Constant] = {}
    derive: list[str] = []
    attributes: dict[str, tuple[tuple[str, int], ...]] = {}
    unit = _unit_strides(function.parameters) if leaning.unit_strides else set[str]()
    for parameter in function.parameters:
        name = parameter.name
        if tuned and name in tuned.constants:
            constants[name] = tuned.constants[name]
        elif parameter.constexpr:
            constants[name] = _constant(parameter, uses, leaning)
            if name in description.heuristics:
                derive.append(name)
        elif name in unit:
            constants[name] = 1
        else:
            types[name] = kind = _type(parameter, uses, leaning)
            if kind.startswith("*"):
                attributes[name] = BUFFER
            elif kind.startswith("i") and _looks_aligned(name):
                attributes[name] = ALIGNED
    given = Options(tuned.num_warps, tuned.num_stages) if tuned else Options(leaning.warps, 2)
    merged = replace(
        options,
        num_warps=options.num_warps or given.num_warps,
        num_stages=options.num_stages or given.num_stages,
    )
    return Signature(description.kernel, types, constants, tuple(derive), attributes, merged)


_INTEGER_NAMES = re.compile(
    r"(ind(ex|ices|ptr)|idx|offs(et)?s?$|offsets?_|seq_?len|seqused|seqstart|^cu_|lens?(_|$)|table|topk_ids|_ids?(_|$)|tokens|count|"
    r"expert|slot|mapping|position|pos_|sorted|kv_start|label|target_ptr|hist|bitmatrix|loc$|b_req|^req)", re.I
)  # fmt: skip
_WIDE_NAMES = re.compile(r"(slot_mapping|philox|seed)", re.I)
_REAL_NAMES = re.compile(
    r"(scale|eps|alpha|^beta$|dropout_p|^p$|_p$|softcap|soft_cap|momentum|theta|^lr$|weight_decay|logit|inv_|limit|"
    r"gamma$|smoothing|temperature|reduction_(scale|factor)|_bias$|^base$|^freq|float|^clamp|ratio|factor|lower_bound|margin|delta$)",
    re.I,
)  # fmt: skip
_STATISTICS = re.compile(
    r"(lse|scale|(^|_)(m|l)(_|$)ptr|^[ml]$|acc|rstd|mean|sum|delta|max_?sum|amax|_cumsum|loss|workspace)", re.I
)
_BYTES = re.compile(r"(mxfp4|fp4|packed|_mx_|mask_ptr|dropout_mask)", re.I)


def _type(parameter: Parameter, uses: Uses, leaning: Leaning) -> str:
    name = parameter.name
    pointer = uses.of.get(name, set()) & {Use.BASE, Use.INTEGERS, Use.POINTERS}
    if pointer or re.search(r"(^|_)ptrs?(_|$)|Ptr|ptr$|_base$", name):
        if name in uses.elements:
            return f"*{uses.elements[name]}"
        if Use.POINTERS in pointer:
            return "*i64"
        if Use.INTEGERS in pointer or (_INTEGER_NAMES.search(name) and "scale" not in name):
            return "*i64" if _WIDE_NAMES.search(name) else "*i32"
        if _STATISTICS.search(name) and leaning.element in ("bf16", "fp16"):
            return "*fp32"
        return "*u8" if _BYTES.search(name) else f"*{leaning.element}"
    if _WIDE_NAMES.search(name):
        return "i64"
    if parameter.annotation in ("i32", "i64", "fp32", "u32", "u64", "i1"):
        return parameter.annotation
    if uses.has(name, Use.INTEGER) or "stride" in name:
        return "i32"
    real = isinstance(parameter.default, float) or uses.has(name, Use.REAL) or _REAL_NAMES.search(name)
    return "fp32" if real else "i32"


def _looks_aligned(name: str) -> bool:
    return bool(re.search(r"stride|^[MNKDHV]$|n_cols|hidden|dim", name)) and not name.endswith("_one")


def _unit_strides(parameters: Sequence[Parameter]) -> set[str]:
    """The last of each run of strides of one tensor: a tensor is mostly contiguous there."""
    strides = [p.name for p in parameters if "stride" in p.name.lower() and not p.constexpr]
    groups: dict[str, list[str]] = {}
    for name in strides:
        groups.setdefault(_tensor_of(name), []).append(name)
    return {group[-1] for group in groups.values() if len(group) > 1}


def _tensor_of(stride: str) -> str:
    word = re.sub(r"_?strides?_?", "", stride.lower())
    head, separator, _ = word.rpartition("_")
    return head if separator and len(head) > 1 else word[:1]


_HEADS = re.compile(r"^(H|HQ|HK|HV|HKV|HS?|G|B|R)$|heads|group", re.I)
_SMALL = re.compile(
    r"(num|^n_|_n$|count|^top_?k|split|xcd|ways|stages|^NT|^NS|^NC|unroll|^ACTUAL_|factor|ratio|per_)", re.I
)
_KIND = re.compile(r"(dtype|_type$|^type)(?!_?(max|min))", re.I)
_LIMIT = re.compile(r"(dtype|fp8|int8|quant)_?(max|min)", re.I)
_LARGEST_FP8 = 448.0


def _constant(parameter: Parameter, uses: Uses, leaning: Leaning) -> Constant:
    """A plausible value of a constant."""
    name = parameter.name
    default = parameter.default
    choices = uses.choices.get(name)
    if choices and (isinstance(choices[0], str) or not uses.has(name, Use.EXTENT)):
        return choices[leaning.choice % len(choices)]
    if uses.has(name, Use.TYPE) or (_KIND.search(name) and "block" not in name.lower()):
        return "tl.float32" if re.search("acc|f32|fp32", name, re.I) else _element_type(leaning.element)
    flag = uses.has(name, Use.FLAG) or isinstance(default, bool) or bool(_FLAG_NAMES.search(name))
    if flag and not uses.has(name, Use.EXTENT):
        if re.search(r"debug|print", name, re.I):
            return False
        if leaning.flags is None:
            return default if isinstance(default, bool) else True
        return leaning.flags
    if parameter.has_default and (default is not None or uses.has(name, Use.OPTIONAL)):
        return default
    if uses.has(name, Use.OPTIONAL) and leaning.flags is False:
        return None
    if re.search(r"modifier$|activation$", name, re.I):
        return ""
    if uses.has(name, Use.PRECISION):
        return None
    if _LIMIT.search(name):
        return -_LARGEST_FP8 if "min" in name.lower() else _LARGEST_FP8
    if uses.has(name, Use.COUNT):
        return 2
    if re.search(r"half", name, re.I):
        return leaning.size // 2
    if uses.has(name, Use.EXTENT) or re.search(r"block|tile|^B[A-Z]$|dim|size|chunk", name, re.I):
        return 8 if re.search("group", name, re.I) and not uses.has(name, Use.EXTENT) else leaning.size
    if re.search("stride", name, re.I):
        return 1
    if _HEADS.search(name):
        return leaning.heads
    if _SMALL.search(name):
        return 4
    if _REAL_NAMES.search(name):
        return 2  # no fraction: some kernels make a name of their constants
    return leaning.size


_FLAG_NAMES = re.compile(
    r"^(is|has|use|enable|with|even|need|store|return|do|apply|load|save|skip|add|output|mask)_", re.I
)


def _element_type(element: str) -> str:
    return {"bf16": "tl.bfloat16", "fp16": "tl.float16", "fp32": "tl.float32", "i32": "tl.int32"}.get(
        element, f"tl.float8{element[3:]}" if element.startswith("fp8") else "tl.float32"
    )
