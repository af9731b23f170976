"""What the judge of assembly says: lines for people, an object for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from regtriage.dataflow.asm.join import joined_id
from regtriage.dataflow.asm.judge import Judgement, Origin, Suspect
from regtriage.dataflow.asm.model import AsmFile
from regtriage.dataflow.findings import Finding, LayerResult, Place, SourceLocation
from rich.text import Text

from . import words
from .json import SCHEMA, Object, Value, place_object, tool_object
from .look import LABEL, NAME, REGISTER, WRONG, Look, paragraph

_INDENT = 4
_LABEL_WIDTH = 10
_MOST_SUSPECTS = 4
_MOST_PLACES = 2
_MOST_LINES = 5


def asm_lines(file: AsmFile, judgements: Sequence[Judgement], look: Look) -> Iterator[Text]:
    """The report on one file."""
    about = [file.processor] if file.processor else []
    yield Text.assemble((f"{file.path}: ", NAME), ", ".join([*about, words.count(file.lines, "line")]))
    for mnemonic, lines in file.unknown.items():
        text = f"{mnemonic}, at {_numbers(lines)}: taken to make its first operand of the others"
        yield from paragraph(Text("unknown instruction: ", "magenta"), text, look.width, hanging=2)
    for judgement in judgements:
        yield Text()
        yield from _function(judgement, look)


def _function(judgement: Judgement, look: Look) -> Iterator[Text]:
    count = len(judgement.suspects)
    verdict = (f"SUSPECT {count}", "bold red") if count else ("nothing suspect", "green")
    yield Text.assemble((f"{judgement.function}: ", NAME), verdict)
    facts = (
        words.count(judgement.instructions, "instruction"),
        words.count(judgement.blocks, "block"),
        words.count(judgement.loops, "loop"),
        words.count(judgement.spill_lanes, "spill lane"),
        words.count(judgement.scratch_dwords, "scratch dword"),
    )
    yield Text("  " + ", ".join(facts), LABEL)
    if judgement.unresolved:
        text = f"where the jump goes at {_numbers(judgement.unresolved)}: what is behind it was not looked at"
        yield from paragraph(Text("  unknown: ", "magenta"), text, look.width, hanging=4)
    shown = judgement.suspects if look.verbose else judgement.suspects[:_MOST_SUSPECTS]
    for suspect in shown:
        yield Text()
        yield from _suspect(suspect, look)
    left = count - len(shown)
    if left:
        yield Text(f"  and {left} more; -v shows them", LABEL)


def _suspect(suspect: Suspect, look: Look) -> Iterator[Text]:
    yield Text.assemble("  ", (suspect.slot, REGISTER), (" is overwritten in the loop at ", NAME), suspect.loop[0])
    rows: list[tuple[str, Place, str]] = []
    rows += _labelled("defined", [(p, "") for p in suspect.definitions], look)
    rows += _labelled("from", [(o.place, o.location) for o in suspect.meant], look)
    rows += _labelled("overwritten", [(suspect.store, "")], look)
    rows += _labelled("with", [(o.place, o.location) for o in suspect.stored], look)
    rows += [("reloaded", suspect.reload, ""), ("used", suspect.use, "")]
    numbers = max(len(str(p.line)) for _, p, _ in rows)
    texts = [place.text + (f" -> {location}" if location else "") for _, place, location in rows]
    width = max(map(len, texts))
    for (name, place, _), text in zip(rows, texts, strict=True):
        line = Text.assemble((" " * _INDENT + name.ljust(_LABEL_WIDTH + 2), LABEL), f"{place.line:>{numbers}}  ")
        line.append(text.ljust(width), WRONG if name == "overwritten" else "")
        line.append(f"  {source_chain(place.debug)}", "blue")
        yield line


def _labelled(label: str, places: Sequence[tuple[Place, str]], look: Look) -> list[tuple[str, Place, str]]:
    """Rows of which the first has the label."""
    shown = places if look.verbose else places[:_MOST_PLACES]
    return [(label if not at else "", place, location) for at, (place, location) in enumerate(shown)]


def source_chain(debug: Sequence[SourceLocation]) -> str:
    """`mha.py:138:13 < mha.py:666:25`: a source location and where it is inlined."""
    return " < ".join(f"{PurePath(d.file).name}:{d.line}:{d.column}" for d in debug)


def _numbers(lines: Sequence[int]) -> str:
    shown = ", ".join(str(line) for line in lines[:_MOST_LINES])
    left = len(lines) - _MOST_LINES
    return f"line{'s' if len(lines) > 1 else ''} {shown}" + (f" and {left} more" if left > 0 else "")


def joined_lines(findings: Sequence[Finding], layer: LayerResult | None, look: Look) -> Iterator[Text]:
    """The lines of the assembly for findings with one cause: where it goes wrong, in order, each once."""
    joined = {f.id: f for f in layer.findings} if layer is not None else {}
    rows: dict[tuple[int, str], tuple[str, Place]] = {}
    for finding in findings:
        there = joined.get(joined_id(finding.id))
        if there is None:
            continue
        for name, place in (
            ("stored", there.clobber),
            *(("reloaded" if place.text.startswith(_RELOADS) else "moved", place) for place in there.carriers),
            ("read", there.use),
        ):
            if place is not None:
                rows.setdefault((place.line, name), (name, place))
    kept = sorted(rows.values(), key=lambda row: (_ORDER.index(row[0]), row[1].line))
    shown = kept if look.verbose else kept[:_MOST_JOINED]
    width = max((len(str(p.line)) for _, p in shown), default=0)
    for at, (name, place) in enumerate(shown):
        line = Text.assemble((" " * _INDENT + ("asm" if not at else "").ljust(9), LABEL), f"{name:<8}  ")
        line.append(f"line {place.line:>{width}}  {place.text}", WRONG if name == "stored" else "")
        yield line
    if len(kept) > len(shown):
        yield Text(
            " " * (_INDENT + 9) + f"and {words.count(len(kept) - len(shown), 'more line')}; -v shows them", LABEL
        )


_ORDER = ("stored", "moved", "reloaded", "read")
_RELOADS = ("v_readlane", "scratch_load", "buffer_load")
_MOST_JOINED = 6


def asm_object(file: AsmFile, judgements: Sequence[Judgement], version: str) -> Object:
    """The JSON of one file; docs/schema/asm.schema.json describes it."""
    return {
        "schema": SCHEMA,
        "tool": tool_object(version),
        "input": file.path,
        "processor": file.processor or None,
        "lines": file.lines,
        "unknown": {mnemonic: list(lines) for mnemonic, lines in file.unknown.items()},
        "functions": [_function_object(j) for j in judgements],
    }


def _function_object(judgement: Judgement) -> Object:
    return {
        "name": judgement.function,
        "suspect": bool(judgement.suspects),
        "instructions": judgement.instructions,
        "blocks": judgement.blocks,
        "loops": judgement.loops,
        "spill_lanes": judgement.spill_lanes,
        "scratch_dwords": judgement.scratch_dwords,
        "unresolved": list(judgement.unresolved),
        "suspects": [_suspect_object(s) for s in judgement.suspects],
    }


def _suspect_object(suspect: Suspect) -> Object:
    return {
        "slot": suspect.slot,
        "loop": list(suspect.loop),
        "store": place_object(suspect.store),
        "stored": [_origin(o) for o in suspect.stored],
        "definitions": [place_object(p) for p in suspect.definitions],
        "meant": [_origin(o) for o in suspect.meant],
        "reload": place_object(suspect.reload),
        "use": place_object(suspect.use),
    }


def _origin(origin: Origin) -> Value:
    return {"location": origin.location, "place": place_object(origin.place)}
