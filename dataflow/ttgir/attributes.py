"""Reads types and attribute values out of tokens, aliases resolved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..layout.encodings import Encoding
from .encodings import encoding_of
from .lexer import Kind, Token
from .source import Source
from .types import (
    UNKNOWN,
    Attribute,
    Dense,
    Descriptor,
    DialectAttribute,
    MemDesc,
    Opaque,
    Pointer,
    Raw,
    Scalar,
    Symbol,
    Tensor,
    Type,
)

OPENING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSING = frozenset(OPENING.values())


def is_punctuation(token: Token, text: str) -> bool:
    """Whether the token is this sign."""
    return token.kind is Kind.PUNCTUATION and token.text == text


@dataclass(slots=True)
class Cursor:
    """A place in the tokens of one file, and what its aliases stand for.

    aliases: the token behind the `=` of each `#name = …` and `!name = …`.
    """

    source: Source
    tokens: Sequence[Token]
    at: int = 0
    aliases: dict[str, int] = field(default_factory=dict[str, int])
    _known: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    _open: list[str] = field(default_factory=list[str])

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.at]

    def is_at(self, kind: Kind) -> bool:
        """Whether a token of this kind comes next."""
        return self.tokens[self.at].kind is kind

    def next(self) -> Token:
        """Take the next token."""
        token = self.tokens[self.at]
        if token.kind is Kind.END:
            raise self.source.error(token.start, "unexpected end of the text")
        self.at += 1
        return token

    def sees(self, text: str) -> bool:
        """Whether this sign comes next."""
        return is_punctuation(self.tokens[self.at], text)

    def takes(self, text: str) -> bool:
        """Take this sign if it comes next."""
        if self.sees(text):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> Token:
        """Take this sign. Raises TtgirError if another token comes next."""
        if not self.sees(text):
            raise self.unexpected(f"expected '{text}'")
        return self.next()

    def unexpected(self, what: str) -> Exception:
        """The error that the next token is not what it should be."""
        token = self.token
        got = f"'{token.text}'" if token.kind is not Kind.END else "the end of the text"
        return self.source.error(token.start, f"{what}, not {got}")

    def skip_balanced(self) -> None:
        """Take one token, and if it opens a bracket all up to the one that closes it."""
        opened: list[Token] = []
        while True:
            token = self.token
            if token.kind is Kind.END and opened:
                raise self.source.error(opened[-1].start, f"'{opened[-1].text}' is never closed")
            self.next()
            if token.kind is Kind.PUNCTUATION:
                if token.text in OPENING:
                    opened.append(token)
                elif token.text in _CLOSING:
                    if not opened or OPENING[opened[-1].text] != token.text:
                        raise self.source.error(token.start, f"'{token.text}' closes nothing")
                    opened.pop()
            if not opened:
                return

    def text_from(self, start: int) -> str:
        """The text from an offset to the last token taken."""
        return self.source.text[start : self.tokens[self.at - 1].end]

    # Types

    def type(self) -> Type:
        """Take a type. Raises TtgirError where there is none, or a malformed one."""
        token = self.token
        if token.kind is Kind.TYPE:
            return self._dialect_type()
        if is_punctuation(token, "<"):  # a buffer whose type the op implies
            return self._memdesc()
        if is_punctuation(token, "("):
            self.skip_balanced()
            if self.takes("->"):
                self._skip_result_type()
            return Opaque(self.text_from(token.start))
        if token.kind is not Kind.WORD:
            raise self.unexpected("expected a type")
        if token.text == "tensor":
            self.next()
            self.expect("<")
            tensor = self._tensor_body()
            self.expect(">")
            return tensor
        self.next()
        if self.sees("<"):
            self.skip_balanced()
            return Opaque(self.text_from(token.start))
        scalar = Scalar(token.text)
        return scalar if scalar.bits else Opaque(token.text)

    def _skip_result_type(self) -> None:
        if self.sees("("):
            self.skip_balanced()
        else:
            self.type()

    def _dialect_type(self) -> Type:
        token = self.next()
        name = token.text
        if name in self.aliases:
            found = self._alias(token)
            return found if isinstance(found, Type) else UNKNOWN
        kind = name.rpartition(".")[2]
        if name == "!tt.ptr":
            self.expect("<")
            pointee = self.type()
            space = self._integer() if self.takes(",") else 1
            self.expect(">")
            return Pointer(pointee, space)
        if kind == "memdesc":
            return self._memdesc()
        if kind in ("tensordesc", "tensordesc_im2col") and self.sees("<"):
            return self._descriptor()
        if self.sees("<"):
            self.skip_balanced()
        return Opaque(self.text_from(token.start))

    def _descriptor(self) -> Type:
        start = self.tokens[self.at - 1].start
        begin = self.at
        self.expect("<")
        nested = self.token.kind is Kind.WORD and self.token.text == "tensor"
        block = self.type() if nested else self._tensor_body()
        if not self.sees(">"):  # more parameters than a block
            self.at = begin
            self.skip_balanced()
            return Opaque(self.text_from(start))
        self.next()
        return Descriptor(block) if isinstance(block, Tensor) else Opaque(self.text_from(start))

    def _dimensions(self) -> tuple[int, ...]:
        if self.token.kind is not Kind.DIMENSIONS:
            return ()
        token = self.next()
        extents = tuple(int(extent) for extent in token.text[:-1].split("x"))
        if 0 in extents:
            raise self.source.error(token.start, "a dimension of no elements")
        return extents

    def _tensor_body(self) -> Tensor:
        shape = self._dimensions()
        element = self.type()
        encoding = self._encoding() if self.takes(",") else None
        return Tensor(shape, element, encoding)

    def _encoding(self) -> Encoding:
        token = self.token
        value = self.attribute()
        return encoding_of(value, self.source, token.start, self.text_from(token.start))

    def _memdesc(self) -> MemDesc | Descriptor:
        """`<64x32xf16, #layout, #space, mutable>`; where there is no space, the block of a descriptor."""
        self.expect("<")
        shape = self._dimensions()
        element = self.type()
        encoding = self._encoding() if self.takes(",") else None
        if encoding is None or self.sees(">"):
            self.expect(">")
            return Descriptor(Tensor(shape, element, encoding))
        space, mutable, alloc = "", False, ()
        while self.takes(","):
            token = self.token
            if token.kind is Kind.WORD and token.text == "mutable":
                self.next()
                mutable = True
            elif token.kind in (Kind.DIMENSIONS, Kind.NUMBER):
                alloc = (*self._dimensions(), self._integer())
            else:
                value = self.attribute()
                space = value.text if isinstance(value, Raw | DialectAttribute) else token.text
        self.expect(">")
        return MemDesc(shape, element, encoding, space, mutable, alloc)

    def _integer(self) -> int:
        token = self.token
        if token.kind is not Kind.NUMBER:
            raise self.unexpected("expected an integer")
        self.next()
        try:
            return int(token.text, 0)
        except ValueError:
            raise self.source.error(token.start, f"expected an integer, not '{token.text}'") from None

    # Attributes

    def attribute(self) -> Attribute:
        """Take an attribute value; the type behind a number is taken and forgotten."""
        token = self.token
        match token.kind:
            case Kind.NUMBER:
                self.next()
                return self._typed_number(token)
            case Kind.STRING:
                self.next()
                if self.takes(":"):
                    self.type()
                return unquote(token.text)
            case Kind.SYMBOL:
                self.next()
                while self.takes("::"):
                    self.next()
                return Symbol(unquote(self.text_from(token.start)[1:]))
            case Kind.ATTRIBUTE:
                return self._named_attribute()
            case Kind.TYPE:
                return self.type()
            case Kind.WORD:
                return self._word()
            case Kind.PUNCTUATION if token.text == "[":
                return self._array()
            case Kind.PUNCTUATION if token.text == "{":
                return self.dictionary()
            case Kind.PUNCTUATION if token.text in OPENING:
                self.skip_balanced()
                return Raw(self.text_from(token.start))
            case _:
                raise self.unexpected("expected an attribute")

    def _typed_number(self, token: Token) -> int | float:
        value = _number(token.text)
        if self.sees(":") and not is_punctuation(self.tokens[self.at + 1], "+"):
            self.next()
            self.type()
        return value

    def _array(self) -> tuple[Attribute, ...]:
        self.expect("[")
        values: list[Attribute] = []
        while not self.takes("]"):
            start = self.token.start
            value = self.attribute()
            if self.takes(":"):  # `interval:+padding`
                self.expect("+")
                self._integer()
                value = Raw(self.text_from(start))
            values.append(value)
            if not self.sees("]"):
                self.expect(",")
        return tuple(values)

    def dictionary(self) -> dict[str, Attribute]:
        """Take `{name = value, unit}`; a unit attribute is True."""
        self.expect("{")
        values: dict[str, Attribute] = {}
        while not self.takes("}"):
            token = self.next()
            if token.kind not in (Kind.WORD, Kind.STRING):
                self.at -= 1
                raise self.unexpected("expected the name of an attribute")
            values[unquote(token.text)] = self.attribute() if self.takes("=") else True
            if not self.sees("}"):
                self.expect(",")
        return values

    def _word(self) -> Attribute:
        token = self.token
        if token.text in ("true", "false"):
            self.next()
            return token.text == "true"
        if token.text == "dense":
            return self._dense()
        if token.text == "array":
            return self._dense_array()
        if token.text in ("tensor", "vector", "memref", "tuple", "complex", "none") or Scalar(token.text).bits:
            return self.type()
        self.next()
        if self.sees("<") or self.sees("("):  # loc(…), affine_map<…>, dense_resource<…>
            self.skip_balanced()
            if self.takes(":"):
                self.type()
        return Raw(self.text_from(token.start))

    def _dense(self) -> Dense:
        self.next()
        opening = self.token
        self.expect("<")
        inner = self.token
        self.at -= 1
        self.skip_balanced()
        text = self.source.text[opening.end : self.tokens[self.at - 1].start]
        value: int | float | bool | str = text
        if text == inner.text:
            if inner.kind is Kind.NUMBER:
                value = _number(text)
            elif text in ("true", "false"):
                value = text == "true"
        self.expect(":")
        return Dense(value, self.type())

    def _dense_array(self) -> tuple[Attribute, ...]:
        self.next()
        self.expect("<")
        self.type()
        values: list[Attribute] = []
        if self.takes(":"):
            while not self.sees(">"):
                values.append(self.attribute())
                if not self.sees(">"):
                    self.expect(",")
        self.expect(">")
        return tuple(values)

    def _named_attribute(self) -> Attribute:
        token = self.next()
        if token.text in self.aliases:
            return self._alias(token)
        if not self.sees("<"):
            if "." not in token.text:
                raise self.source.error(token.start, f"'{token.text}' is not defined")
            return DialectAttribute(token.text, (), {}, token.text)
        begin = self.at
        try:
            positional, named = self._parameters()
        except Exception:
            if token.text.partition(".")[0] in _KNOWN_DIALECTS:
                raise
            self.at = begin
            self.skip_balanced()
            positional, named = (), {}
        return DialectAttribute(token.text, positional, named, self.text_from(token.start))

    def _parameters(self) -> tuple[tuple[Attribute, ...], dict[str, Attribute]]:
        positional: list[Attribute] = []
        named: dict[str, Attribute] = {}
        self.expect("<")
        while not self.takes(">"):
            if self.sees("{"):
                named.update(self.dictionary())
            elif self.token.kind is Kind.WORD and is_punctuation(self.tokens[self.at + 1], "="):
                name = self.next().text
                self.next()
                named[name] = self.attribute()
            else:
                positional.append(self.attribute())
            if not self.sees(">") and not self.sees("{"):
                self.expect(",")
        return tuple(positional), named

    def _alias(self, token: Token) -> Attribute:
        name = token.text
        if name in self._known:
            return self._known[name]
        if name in self._open:
            raise self.source.error(token.start, f"'{name}' is defined by itself")
        back, self.at = self.at, self.aliases[name]
        self._open.append(name)
        try:
            value = self.type() if name.startswith("!") else self.attribute()
        finally:
            self._open.pop()
            self.at = back
        self._known[name] = value
        return value


_KNOWN_DIALECTS = frozenset({"#ttg", "#triton_gpu", "#ttig", "#triton_intel_gpu"})


def unquote(text: str) -> str:
    """A string's content; a word as it is. Escapes of two hexadecimal digits, quotes and backslashes are resolved."""
    if not text.startswith('"'):
        return text
    text = text[1:-1]
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            out.append(text[at])
            at += 1
        elif text[at + 1] in 'nt"\\':
            out.append({"n": "\n", "t": "\t"}.get(text[at + 1], text[at + 1]))
            at += 2
        else:
            out.append(chr(int(text[at + 1 : at + 3], 16)))
            at += 3
    return "".join(out)


def _number(text: str) -> int | float:
    if text.startswith("0x"):
        return int(text, 16)
    try:
        return int(text)
    except ValueError:
        return float(text)
