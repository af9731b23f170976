"""Chains of definitions: lines for people, an object for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from regtriage.dataflow.asm.metadata import Argument
from regtriage.dataflow.chains import Chain, Link, LinkKind
from regtriage.tools.trace import ASM, Start, TraceResult
from rich.text import Text

from . import words
from .asm import source_chain
from .json import SCHEMA, Object, Value, place_object, tool_object
from .look import LABEL, NAME, REGISTER, Look

_STYLES = {
    LinkKind.UNDEFINED: "red",
    LinkKind.LOAD: "green",
    LinkKind.ENTRY: "green",
    LinkKind.CONSTANT: "green",
    LinkKind.MERGE: "yellow",
}
_KIND_WIDTH = max(len(kind.value) for kind in LinkKind)
_MOST_TEXT = 64


def trace_lines(result: TraceResult, look: Look) -> Iterator[Text]:
    """The report of one trace."""
    yield Text.assemble((f"{result.input}: ", NAME), f"{result.function}, {_layer(result.layer)}, {result.direction}")
    for start in result.starts:
        yield Text()
        yield from _start(start, result.arguments, look)
    if result.left:
        yield Text()
        yield Text(f"and {words.count(result.left, 'more instruction')} there; name a block or a line with @", LABEL)


def _layer(layer: str) -> str:
    return "assembly" if layer == ASM else layer


def _start(start: Start, arguments: Sequence[Argument], look: Look) -> Iterator[Text]:
    if start.place is not None:
        place = start.place
        line = Text.assemble((words.instruction(place.text), NAME), f"  line {place.line} in {place.block}")
        if place.debug:
            line.append("  " + source_chain(place.debug), "blue")
        yield line
    for chain in start.chains:
        yield Text.assemble("  ", (chain.location, REGISTER))
        yield from _chain(chain, arguments, look)


def _chain(chain: Chain, arguments: Sequence[Argument], look: Look) -> Iterator[Text]:
    numbers = max((len(str(link.place.line)) for link in chain.links if link.place), default=0)
    texts = [
        "  " * link.depth + words.cut(words.instruction(_text(link)), _MOST_TEXT - 2 * link.depth)
        for link in chain.links
    ]
    sources = [_source(link, look) for link in chain.links]
    width = max(map(len, texts))
    source_width = max(map(len, sources))
    for link, text, source in zip(chain.links, texts, sources, strict=True):
        number = str(link.place.line) if link.place else ""
        kind = (link.kind.value.ljust(_KIND_WIDTH), _STYLES.get(link.kind, LABEL))
        line = Text.assemble("    ", kind, f"  {number:>{numbers}}  ", text.ljust(width))
        if source_width:
            line.append(f"  {source.ljust(source_width)}", "blue")
        line.append(f"  {_notes(link, arguments)}", "magenta")
        yield line


def _source(link: Link, look: Look) -> str:
    """The source location and, unless everything is wanted, only the outermost one that it is inlined at."""
    debug = link.place.debug if link.place is not None else ()
    if look.verbose or len(debug) < 3:
        return source_chain(debug)
    return f"{source_chain(debug[:1])} < .. < {source_chain(debug[-1:])}"


def _text(link: Link) -> str:
    if link.kind is LinkKind.MERGE:
        return f"{link.location} at {words.block(link.block)}"
    if link.kind is LinkKind.ENTRY:
        return f"{link.location}, as the function starts"
    assert link.place is not None
    return link.place.text


def _notes(link: Link, arguments: Sequence[Argument]) -> str:
    notes: list[str] = []
    if link.over_back_edge:
        notes.append("over the back edge")
    if link.argument is not None:
        notes.append(argument_name(link.argument, arguments))
    if link.seen:
        notes.append("as above")
    if link.cut:
        notes.append("...")
    return ", ".join(notes)


def argument_name(byte: int, arguments: Sequence[Argument]) -> str:
    """`kernel argument 1 at byte 8`: which argument a byte belongs to."""
    for argument in arguments:
        if argument.offset <= byte < argument.offset + argument.size:
            name = f" {argument.name}" if argument.name else ""
            return f"kernel argument {argument.number}{name} at byte {byte}"
    return f"kernel arguments at byte {byte}"


def trace_object(result: TraceResult, version: str) -> Object:
    """The JSON of one trace; docs/schema/trace.schema.json describes it."""
    return {
        "schema": SCHEMA,
        "tool": tool_object(version),
        "input": result.input,
        "layer": result.layer,
        "function": result.function,
        "direction": result.direction.value,
        "starts": [_start_object(s, result.arguments) for s in result.starts],
        "left": result.left,
    }


def _start_object(start: Start, arguments: Sequence[Argument]) -> Object:
    return {
        "place": place_object(start.place),
        "chains": [
            {"location": c.location, "links": [_link_object(link, arguments) for link in c.links]} for c in start.chains
        ],
    }


def _link_object(link: Link, arguments: Sequence[Argument]) -> Value:
    return {
        "kind": link.kind.value,
        "location": link.location,
        "block": link.block or None,
        "place": place_object(link.place),
        "depth": link.depth,
        "over_back_edge": link.over_back_edge,
        "seen": link.seen,
        "cut": link.cut,
        "argument": None if link.argument is None else argument_name(link.argument, arguments),
    }
