"""Reads TTGIR and TTIR, as Triton 3.0 to 3.9 print them and as people write tests in them.

Every dialect has custom forms of its own, and new ones come with every release, so ops are not read by their
definitions but by what all forms share: results, a name, operands, dictionaries, regions, the types after a
colon, and a location. An op without a location ends where the next line begins an op, a block or a brace.
An op that is not known is read like any other; only the types of its results may be unknown.

Brackets, values, types, attributes and aliases are checked, and what is wrong is reported with its place.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from .attributes import Cursor, is_punctuation, unquote
from .lexer import Kind, Token, tokens
from .locations import Locations
from .model import Block, Module, Operand, Operation, Region, Value
from .signatures import Signature, result_types
from .source import Source, Span
from .types import UNKNOWN, Attribute, Dense, Pointer, Scalar, Tensor, Type, element_bits

_BARE_OPS = frozenset({"module", "return", "call"})
_FUNCTIONS = frozenset({"tt.func", "func.func", "llvm.func"})
_TYPE_WORDS = frozenset({"tensor", "vector", "memref", "tuple", "none", "complex"})
_TERMINATORS = ("return", "yield", "unreachable")


def read(text: str, path: str) -> Module:
    """Read a whole file.

    Raises TtgirError, with line and column, where the text is not MLIR, uses a value, an attribute or a type that
    nothing defines, or holds more than one module.
    """
    return _Reader(Source(path, text)).module()


def read_attribute(text: str, path: str) -> Attribute:
    """Read one attribute, such as a layout that a user typed. Raises TtgirError."""
    cursor = _cursor(Source(path, text))
    value = cursor.attribute()
    _expect_end(cursor)
    return value


def read_type(text: str, path: str) -> Type:
    """Read one type. Raises TtgirError."""
    cursor = _cursor(Source(path, text))
    value = cursor.type()
    _expect_end(cursor)
    return value


def _cursor(source: Source) -> Cursor:
    cursor = Cursor(source, tokens(source))
    try:
        _find_aliases(cursor)
    except RecursionError:
        raise source.error(0, "nested too deeply") from None
    return cursor


def _expect_end(cursor: Cursor) -> None:
    if cursor.token.kind is not Kind.END:
        raise cursor.unexpected("expected the end of the text")


def _find_aliases(cursor: Cursor) -> None:
    """Aliases may be used before they are defined: locations usually are."""
    for at, token in enumerate(cursor.tokens[:-1]):
        if token.first and token.kind in (Kind.ATTRIBUTE, Kind.TYPE) and is_punctuation(cursor.tokens[at + 1], "="):
            if token.text in cursor.aliases:
                raise cursor.source.error(token.start, f"'{token.text}' is defined twice: one module a file is read")
            cursor.aliases[token.text] = at + 2


@dataclass(slots=True)
class _Use:
    """A use, before it is known what of. end: the offset that the search for a definition ended at."""

    operation: Operation
    token: Token
    operand: Operand


@dataclass(slots=True)
class _Scope:
    """The values that the blocks of one region define, by name. outer: of the region around it."""

    outer: _Scope | None
    values: dict[str, list[Value]] = field(default_factory=dict[str, "list[Value]"])
    unresolved: list[_Use] = field(default_factory=list[_Use])

    def find(self, name: str) -> list[Value] | None:
        scope: _Scope | None = self
        while scope is not None:
            found = scope.values.get(name)
            if found is not None:
                return found
            scope = scope.outer
        return None


@dataclass(slots=True)
class _Pending:
    """What has been read of one op. arguments: of the region that comes next; types: as printed."""

    op: Operation
    counts: list[tuple[Token, int]]
    arguments: list[tuple[Token, Type | None, dict[str, Attribute]]] = field(default_factory=list)  # pyright: ignore[reportUnknownVariableType]
    before: list[Type] = field(default_factory=list[Type])
    after: list[Type] = field(default_factory=list[Type])
    arrow: bool = False
    keyword: str = ""


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.cursor = _cursor(source)
        self.scope = _Scope(None)
        self._signatures: dict[str, tuple[Signature, int]] = {}
        self._location_tokens: dict[int, int] = {}

    def module(self) -> Module:
        """The whole file."""
        cursor = self.cursor
        operations: list[Operation] = []
        try:
            while cursor.token.kind is not Kind.END:
                if cursor.token.kind in (Kind.ATTRIBUTE, Kind.TYPE) and cursor.token.text in cursor.aliases:
                    self._skip_alias()
                else:
                    operations.append(self._operation(None))
        except RecursionError:
            raise self.source.error(cursor.token.start, "nested too deeply") from None
        self._fail_unresolved()
        if not operations:
            raise self.source.error(0, "no operation: this is not TTGIR")
        modules = [op for op in operations if op.name == "module"]
        if len(modules) > 1:
            raise self.source.error(modules[1].span.start, "more than one module: one module a file is read")
        locations = Locations(Cursor(self.source, cursor.tokens, 0, cursor.aliases), self._location_tokens)
        return Module(self.source, operations, locations)

    def _skip_alias(self) -> None:
        cursor = self.cursor
        name = cursor.next()
        cursor.next()
        if cursor.token.kind is Kind.WORD and cursor.token.text == "loc":
            cursor.next()
            cursor.skip_balanced()
        elif name.kind is Kind.TYPE:
            cursor.type()
        else:
            cursor.attribute()

    # Ops

    def _operation(self, block: Block | None) -> Operation:
        cursor = self.cursor
        start = cursor.token.start
        counts = self._result_names()
        name = cursor.token
        if name.kind not in (Kind.WORD, Kind.STRING):
            raise cursor.unexpected("expected an operation")
        cursor.next()
        text = unquote(name.text)
        text = "module" if text == "builtin.module" else text
        op = Operation(text, Span(start, name.end), Span(name.start, name.end), block)
        pending = _Pending(op, counts)
        if text == "arith.constant" and not cursor.sees("("):
            self._constant(pending)
        if text in _FUNCTIONS:
            self._function_head(pending)
        while not self._at_end():
            self._piece(pending)
            if op.location_span is not None:
                break
        op.span = Span(start, cursor.tokens[cursor.at - 1].end)
        self._define_results(pending)
        return op

    def _result_names(self) -> list[tuple[Token, int]]:
        cursor = self.cursor
        names: list[tuple[Token, int]] = []
        while cursor.token.kind is Kind.VALUE:
            name = cursor.next()
            count = 1
            if cursor.takes(":"):
                if not cursor.is_at(Kind.NUMBER):
                    raise cursor.unexpected("expected the number of results")
                count = int(cursor.next().text)
            names.append((name, count))
            if not cursor.takes(","):
                cursor.expect("=")
                break
        return names

    def _at_end(self) -> bool:
        token = self.cursor.token
        if token.kind is Kind.END or is_punctuation(token, "}"):
            return True
        if not token.first:
            return False
        if token.kind is Kind.WORD:
            return "." in token.text or token.text in _BARE_OPS
        if token.kind is Kind.ATTRIBUTE:
            return token.text in self.cursor.aliases and is_punctuation(self.cursor.tokens[self.cursor.at + 1], "=")
        return token.kind in (Kind.BLOCK, Kind.STRING) or (token.kind is Kind.VALUE and self._begins_results())

    def _begins_results(self) -> bool:
        at = self.cursor.at
        while self.cursor.tokens[at].kind in (Kind.VALUE, Kind.NUMBER) or self.cursor.tokens[at].text in (",", ":"):
            at += 1
        return is_punctuation(self.cursor.tokens[at], "=")

    def _piece(self, pending: _Pending) -> None:
        """Take one part of an op: a token, or all that belongs to it."""
        cursor, op = self.cursor, pending.op
        token = cursor.token
        match token.kind:
            case Kind.VALUE:
                self._value(pending)
            case Kind.WORD:
                self._word(pending)
            case Kind.SYMBOL:
                op.symbol = op.symbol or unquote(token.text[1:])
                cursor.next()
            case Kind.BLOCK:
                op.successors.append(token.text)
                cursor.next()
            case Kind.PUNCTUATION if token.text == "{":
                self._brace(pending)
            case Kind.PUNCTUATION if token.text in "([":
                self._bracket(pending)
            case Kind.PUNCTUATION if token.text == "<":
                self._angle(pending)
            case Kind.PUNCTUATION if token.text == ":":
                self._colon(pending)
            case Kind.PUNCTUATION if token.text == "->":
                cursor.next()
                self._types_after(pending)
            case Kind.PUNCTUATION if token.text in ")]>":
                raise self.source.error(token.start, f"'{token.text}' closes nothing")
            case Kind.ATTRIBUTE:
                cursor.attribute()
            case _:
                cursor.next()

    def _value(self, pending: _Pending) -> None:
        """A use, or the definition of an argument of the region that follows, `%i = …`."""
        cursor = self.cursor
        token = cursor.next()
        if cursor.sees("="):
            cursor.next()
            pending.arguments.append((token, None, {}))
            return
        self._use(pending.op, token)

    def _use(self, op: Operation, token: Token) -> None:
        name, _, number = token.text.partition("#")
        span = Span(token.start, token.end)
        operand = Operand(_NOTHING, op, len(op.operands), span)
        op.operands.append(operand)
        found = self.scope.find(name)
        if found is None:
            self.scope.unresolved.append(_Use(op, token, operand))
            return
        self._bind(operand, found, int(number or 0))

    def _bind(self, operand: Operand, found: list[Value], number: int) -> None:
        if number >= len(found):
            text = self.source.slice(operand.span)
            raise self.source.error(operand.span.start, f"'{text}': it has {len(found)} results")
        operand.value = found[number]
        found[number].uses.append(operand)

    def _word(self, pending: _Pending) -> None:
        cursor, op = self.cursor, pending.op
        token = cursor.next()
        if token.text == "loc" and cursor.sees("("):
            self._location(op)
        elif token.text == "to" and pending.before:
            self._types_after(pending)
        elif cursor.sees("="):
            self._named(op, token)
        elif token.text == "dense" and cursor.sees("<"):
            cursor.at -= 1
            cursor.attribute()
        elif token.text == "num_warps" and cursor.sees("("):
            cursor.skip_balanced()
        elif token.first or is_punctuation(cursor.tokens[cursor.at - 2], "}"):
            pending.keyword = token.text
        elif token.text != "attributes":
            op.keywords.append(token.text)

    def _named(self, op: Operation, name: Token) -> None:
        """`cacheModifier = cg`, or `stride = %s`, which is an operand."""
        cursor = self.cursor
        cursor.next()
        token = cursor.token
        if token.kind is Kind.VALUE or is_punctuation(token, "["):
            return
        op.attributes[name.text] = cursor.attribute()

    def _location(self, op: Operation) -> None:
        cursor = self.cursor
        at = cursor.at - 1
        start = cursor.tokens[at].start
        cursor.skip_balanced()
        self._location_tokens[start] = at
        op.location_span = Span(start, cursor.tokens[cursor.at - 1].end)

    def _colon(self, pending: _Pending) -> None:
        cursor, op = self.cursor, pending.op
        cursor.next()
        if not self._begins_type():
            return
        start = cursor.token.start
        line_end = self.source.text.find("\n", start)
        text = self.source.text[start : line_end if line_end >= 0 else len(self.source.text)]
        text = text.partition(" loc(")[0]
        known = self._signatures.get(text)
        if known is not None:
            signature, length = known
            pending.before, pending.after, pending.arrow = (
                list(signature.before),
                list(signature.after),
                signature.arrow,
            )
            cursor.at += length
        else:
            at = cursor.at
            pending.before = self._type_list()
            if cursor.takes("->"):
                self._types_after(pending)
            elif cursor.token.kind is Kind.WORD and cursor.token.text == "to":
                cursor.next()
                self._types_after(pending)
            signature = Signature(tuple(pending.before), tuple(pending.after), pending.arrow)
            if cursor.tokens[cursor.at - 1].end == start + len(text):
                self._signatures[text] = signature, cursor.at - at
        op.signature = Span(start, cursor.tokens[cursor.at - 1].end)

    def _types_after(self, pending: _Pending) -> None:
        pending.arrow = True
        if self._begins_type():
            pending.after = self._type_list()

    def _begins_type(self) -> bool:
        token = self.cursor.token
        if token.kind is Kind.WORD:
            return token.text in _TYPE_WORDS or bool(Scalar(token.text).bits)
        return token.kind is Kind.TYPE or is_punctuation(token, "(") or is_punctuation(token, "<")

    def _type_list(self) -> list[Type]:
        """Types separated by commas or, in dots, by `*`; those in parentheses are a list too."""
        cursor = self.cursor
        found: list[Type] = []
        while True:
            if cursor.takes("("):
                found += self._types_in_parentheses()
            else:
                found.append(self._signature_type())
            if not (cursor.sees(",") or cursor.sees("*")):
                return found
            cursor.next()
            if not self._begins_type():
                cursor.at -= 1
                return found

    def _types_in_parentheses(self) -> list[Type]:
        cursor = self.cursor
        found: list[Type] = []
        while not cursor.takes(")"):
            found.append(self._signature_type())
            if cursor.sees("{"):
                cursor.dictionary()
            if not cursor.sees(")"):
                cursor.expect(",")
        return found

    def _signature_type(self) -> Type:
        """A type, or `<…>`: a pointer or buffer of which the op implies the kind."""
        cursor = self.cursor
        if cursor.sees("<") and cursor.tokens[cursor.at + 1].kind is Kind.WORD:
            cursor.next()
            pointee = cursor.type()
            cursor.expect(">")
            return Pointer(pointee)
        return cursor.type()

    def _constant(self, pending: _Pending) -> None:
        """`arith.constant {…} value : type`; `true` and `false` come without a type."""
        cursor, op = self.cursor, pending.op
        if cursor.sees("{"):
            self._dictionary(op)
        token = cursor.token
        if token.kind is Kind.NUMBER and cursor.tokens[cursor.at + 1].text == ":":
            cursor.next()
            self._colon(pending)
            op.attributes["value"] = _number(token.text, pending.before)
            return
        value = cursor.attribute()
        if isinstance(value, Dense):
            pending.before = [value.type]
            value = Dense(_splat(value), value.type)
            colon = self.source.text.rfind("> :", token.start, cursor.tokens[cursor.at - 1].end)
            op.signature = Span(colon + 4, cursor.tokens[cursor.at - 1].end)
        elif isinstance(value, bool):
            pending.before = [Scalar("i1")]
        op.attributes["value"] = value

    def _function_head(self, pending: _Pending) -> None:
        """`public @f(%a: T {attributes} loc(…), …)`."""
        cursor = self.cursor
        while not cursor.sees("("):
            if self._at_end():
                raise cursor.unexpected("expected the function's arguments")
            self._piece(pending)
        self._arguments(pending)

    def _arguments(self, pending: _Pending) -> None:
        """`(%a: T {attributes} loc(…), …)`, of a function, a block or a partition."""
        cursor = self.cursor
        cursor.expect("(")
        while not cursor.takes(")"):
            if cursor.token.kind is not Kind.VALUE:
                if pending.op.name in _FUNCTIONS:  # a declaration
                    cursor.type()
                    if cursor.sees("{"):
                        cursor.dictionary()
                    if not cursor.sees(")"):
                        cursor.expect(",")
                    continue
                raise cursor.unexpected("expected an argument")
            name = cursor.next()
            cursor.expect(":")
            type_ = cursor.type()
            attributes = cursor.dictionary() if cursor.sees("{") else {}
            self._skip_location()
            pending.arguments.append((name, type_, attributes))
            if not cursor.sees(")"):
                cursor.expect(",")

    def _skip_location(self) -> None:
        cursor = self.cursor
        if cursor.token.kind is Kind.WORD and cursor.token.text == "loc":
            cursor.next()
            cursor.skip_balanced()

    def _bracket(self, pending: _Pending) -> None:
        """Operands, indices, or regions of the generic form."""
        cursor = self.cursor
        opening = cursor.token
        if opening.text == "(" and pending.keyword.startswith("partition") and cursor.tokens[cursor.at - 1].first:
            self._arguments(pending)
            return
        closing = ")" if opening.text == "(" else "]"
        cursor.next()
        while not cursor.takes(closing):
            token = cursor.token
            if token.kind is Kind.END:
                raise self.source.error(opening.start, f"'{opening.text}' is never closed")
            if is_punctuation(token, "}"):
                raise cursor.unexpected(f"expected '{closing}'")
            if is_punctuation(token, ":"):  # types of a branch's operands
                cursor.next()
            elif token.kind is Kind.WORD and (token.text in _TYPE_WORDS or Scalar(token.text).bits):
                cursor.type()
            else:
                self._piece(pending)

    def _angle(self, pending: _Pending) -> None:
        """`<{…}>`: an op's properties in the generic form; or a parameter in angle brackets."""
        cursor = self.cursor
        if is_punctuation(cursor.tokens[cursor.at + 1], "{"):
            cursor.next()
            self._dictionary(pending.op)
            cursor.expect(">")
        else:
            cursor.skip_balanced()

    def _brace(self, pending: _Pending) -> None:
        if self._opens_region():
            self._region(pending)
        else:
            self._dictionary(pending.op)

    def _opens_region(self) -> bool:
        """Whether `{` begins a region; else it begins a dictionary."""
        after, second = self.cursor.tokens[self.cursor.at + 1 : self.cursor.at + 3]
        if is_punctuation(after, "}"):
            return after.first
        if after.kind not in (Kind.WORD, Kind.STRING):
            return True
        if second.kind is Kind.PUNCTUATION and second.text in ("=", ","):
            return False
        if is_punctuation(second, "}"):
            return after.text.endswith(_TERMINATORS)
        return True

    def _dictionary(self, op: Operation) -> None:
        cursor = self.cursor
        start = cursor.token.start
        op.attributes.update(cursor.dictionary())
        op.dictionaries.append(Span(start, cursor.tokens[cursor.at - 1].end))

    # Regions

    def _region(self, pending: _Pending) -> None:
        cursor, op = self.cursor, pending.op
        opening = cursor.next()
        region = Region(op, [], Span(opening.start, opening.end), pending.keyword)
        self.scope = _Scope(self.scope)
        arguments, pending.arguments = pending.arguments, []
        implied = iter(self._argument_types(pending, sum(t is None for _, t, _ in arguments)))
        typed = [(name, t or next(implied), attributes) for name, t, attributes in arguments]
        block = self._new_block(region, "", typed, cursor.token.start)
        while not cursor.sees("}"):
            token = cursor.token
            if token.kind is Kind.END:
                raise self.source.error(opening.start, "'{' is never closed")
            if token.kind is Kind.BLOCK:
                block = self._labelled(region, op)
                continue
            op_inside = self._operation(block)
            block.operations.append(op_inside)
            block.span = Span(block.span.start, op_inside.span.end)
        region.span = Span(opening.start, cursor.next().end)
        if len(region.blocks) > 1 and not region.blocks[0].operations and not region.blocks[0].arguments:
            del region.blocks[0]  # the first block has a label
        op.regions.append(region)
        self._close_scope()

    def _labelled(self, region: Region, op: Operation) -> Block:
        cursor = self.cursor
        label = cursor.next()
        head = _Pending(op, [])
        if cursor.sees("("):
            self._arguments(head)
        cursor.expect(":")
        return self._new_block(region, label.text, [(n, t or UNKNOWN, a) for n, t, a in head.arguments], label.start)

    def _new_block(
        self, region: Region, label: str, arguments: list[tuple[Token, Type, dict[str, Attribute]]], start: int
    ) -> Block:
        block = Block(label, [], [], region, Span(start, start))
        for index, (name, type_, attributes) in enumerate(arguments):
            value = Value(name.text, index, type_, block, Span(name.start, name.end), 1, attributes)
            block.arguments.append(value)
            self._define(name, [value])
        region.blocks.append(block)
        return block

    def _argument_types(self, pending: _Pending, count: int) -> list[Type]:
        """Of the arguments that a loop's head defines."""
        if not count:
            return []
        if pending.op.name == "scf.for":
            counter = pending.before[0] if pending.before else Scalar("index")
            types = [counter, *pending.after]
        else:
            types = pending.before
        if len(types) != count:
            raise self.source.error(
                pending.op.name_span.start, f"{pending.op.name}: {count} arguments and {len(types)} types"
            )
        return types

    def _define(self, name: Token, values: list[Value]) -> None:
        if name.text in self.scope.values:
            raise self.source.error(name.start, f"'{name.text}' is defined twice")
        self.scope.values[name.text] = values

    def _define_results(self, pending: _Pending) -> None:
        op = pending.op
        count = sum(n for _, n in pending.counts)
        signature = Signature(tuple(pending.before), tuple(pending.after), pending.arrow)
        types = result_types(op.name, signature, [o.value.type for o in op.operands], count)
        at = 0
        for name, number in pending.counts:
            span = Span(name.start, name.end)
            values = [Value(name.text, at + n, types[at + n], op, span, number) for n in range(number)]
            op.results += values
            at += number
            self._define(name, values)

    def _close_scope(self) -> None:
        scope = self.scope
        assert scope.outer is not None
        for use in scope.unresolved:
            name, _, number = use.token.text.partition("#")
            found = scope.values.get(name)
            if found is None:
                scope.outer.unresolved.append(use)
            else:
                self._bind(use.operand, found, int(number or 0))
        self.scope = scope.outer

    def _fail_unresolved(self) -> None:
        for use in self.scope.unresolved:
            name, _, number = use.token.text.partition("#")
            found = self.scope.values.get(name)
            if found is None:
                raise self.source.error(use.token.start, f"'{use.token.text}' is not defined")
            self._bind(use.operand, found, int(number or 0))


_PLACEHOLDER = Operation("", Span(0, 0), Span(0, 0), None)
_NOTHING = Value("", 0, UNKNOWN, _PLACEHOLDER, Span(0, 0))
"""What a use is of until its definition has been read."""


def _number(text: str, types: list[Type]) -> int | float:
    of = types[0] if types else UNKNOWN
    if text.startswith("0x"):
        return _from_bits(int(text, 16), of)
    try:
        return int(text)
    except ValueError:
        return float(text)


def _splat(value: Dense) -> int | float | bool | str:
    """A splat of hexadecimal digits, which are the bits of a float, as that float."""
    element = value.type.element if isinstance(value.type, Tensor) else value.type
    is_float = isinstance(element, Scalar) and not element.name.startswith(("i", "s", "u"))
    if isinstance(value.value, int) and not isinstance(value.value, bool) and is_float:
        return _from_bits(value.value, element)
    return value.value


def _from_bits(bits: int, of: Type) -> int | float:
    name = of.name if isinstance(of, Scalar) else ""
    if name == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    code = {"f16": "<e", "f32": "<f", "f64": "<d"}.get(name)
    if code is None:
        return bits
    return struct.unpack(code, bits.to_bytes(element_bits(of) // 8, "little"))[0]
