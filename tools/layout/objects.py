"""The answers of `regtriage layout …` as JSON. docs/layout.md names the keys."""

from __future__ import annotations

from collections.abc import Sequence

from regtriage.dataflow.layout.choices import Choice
from regtriage.dataflow.layout.coalescing import PointerFacts
from regtriage.dataflow.layout.conversion import Moves, Release, TritonWay
from regtriage.dataflow.layout.encodings import Blocked, Encoding
from regtriage.dataflow.layout.linear import LANE, REGISTER, WARP, LinearLayout
from regtriage.dataflow.layout.pressure import Explanation, Holding
from regtriage.dataflow.ttgir.model import Module
from regtriage.dataflow.ttgir.spelling import spell_encoding
from regtriage.tools.report.json import SCHEMA, Object, tool_object

from .report import Case, Trip, place


def envelope(command: str, version: str, content: Object) -> Object:
    """What all answers have in common. version is that of this program."""
    return {"schema": SCHEMA, "tool": tool_object(version), "command": f"layout {command}", **content}


def coalesce_object(facts: PointerFacts, elements: int, layout: Blocked) -> Object:
    """One access described on the command line."""
    return {"shape": list(facts.shape), "elements_per_thread": elements, "layout": _layout(layout)}


def _layout(encoding: Encoding) -> Object:
    found: Object = {"text": spell_encoding(encoding)}
    if isinstance(encoding, Blocked):
        found |= {
            "size_per_thread": list(encoding.size_per_thread),
            "threads_per_warp": list(encoding.threads_per_warp),
            "warps_per_cta": list(encoding.warps_per_cta),
            "order": list(encoding.order),
        }
    return found


def choices_object(module: Module, found: Sequence[Choice]) -> Object:
    """The accesses of a file."""
    return {
        "input": module.source.path,
        "accesses": [
            {
                "op": choice.op.name,
                "place": place(module, choice.op),
                "shape": list(choice.facts.shape),
                "contiguity": list(choice.facts.contiguity),
                "divisibility": list(choice.facts.divisibility),
                "elements_per_thread": choice.elements,
                "rule": _layout(choice.rule),
                "chosen": None if choice.chosen is None else _layout(choice.chosen),
                "agrees": choice.agrees,
                "reasons": list(choice.reasons),
            }
            for choice in found
        ],
    }


def show_object(layout: LinearLayout) -> Object:
    """The linear form."""
    return {
        "shape": list(layout.shape),
        "elements_per_thread": layout.without_repeated_registers().count(REGISTER),
        "warps": layout.count(WARP),
        "lanes": layout.count(LANE),
        "replication": layout.replication,
        "bases": {index: [list(vector) for vector in layout.vectors(index)] for index in layout.bases},
    }


def holders_object(layout: LinearLayout, element: int) -> Object:
    """All places of an element."""
    found = layout.holders(element)
    count = len(next(iter(found.values())))
    places: list[Object] = [{index: int(found[index][at]) for index in found} for at in range(count)]
    return {"element": list(layout.vector(element)), "places": places}


def thread_object(layout: LinearLayout, warp: int, lane: int) -> Object:
    """What a thread holds, register by register."""
    base = layout.element({WARP: warp, LANE: lane})
    held = [list(layout.vector(int(element) ^ base)) for element in layout.elements(REGISTER).reshape(-1)]
    return {"warp": warp, "lane": lane, "elements": held}


def sectors_object(layout: LinearLayout, cases: Sequence[Case]) -> Object:
    """Each case with the totals, and the sectors of each access `[warp][access]`."""
    return {
        "shape": list(layout.shape),
        "cases": [
            {
                "name": case.name,
                "strides": list(case.strides),
                "width": case.accesses.width,
                "elements_per_access": case.accesses.group,
                "instructions_per_access": case.accesses.instructions,
                "efficiency": case.accesses.efficiency,
                "worst": list(case.accesses.worst),
                "sectors": [[int(n) for n in warp] for warp in case.accesses.touched],
                "bytes_used": [[int(n) for n in warp] for warp in case.accesses.used],
            }
            for case in cases
        ],
    }


def convert_object(moves: Moves, ways: Sequence[tuple[Release, TritonWay]], trips: Sequence[Trip]) -> Object:
    """Both answers, the counts, and the ways through shared memory."""
    return {
        "by_ownership": moves.means.value,
        "moves": {
            "same_lane": moves.same_lane,
            "other_lane": moves.other_lane,
            "other_warp": moves.other_warp,
            "other_block": moves.other_block,
        },
        "triton": [
            {"release": release.value, "means": way.means and way.means.value, "swaps": way.swaps}
            for release, way in ways
        ],
        "shared": [
            {
                "buffer": trip.name,
                "bytes": trip.buffer_bytes,
                "store": {"vector": trip.store.vector, "worst": trip.store.worst, "conflicts": trip.store.conflicts},
                "load": {"vector": trip.load.vector, "worst": trip.load.worst, "conflicts": trip.load.conflicts},
            }
            for trip in trips
        ],
    }


def explain_object(module: Module, found: Sequence[Explanation]) -> Object:
    """A kernel."""
    return {"input": module.source.path, "functions": [_explanation(module, one) for one in found]}


def _explanation(module: Module, one: Explanation) -> Object:
    return {
        "name": one.function.symbol,
        "values": [_holding(holding) for holding in one.holdings],
        "conversions": [
            {
                "source": conversion.op.operands[0].value.spelling,
                "result": conversion.op.results[0].spelling,
                "place": place(module, conversion.op),
                "loops": conversion.depth,
                "by_ownership": conversion.by_ownership.value,
                "triton": conversion.triton.means and conversion.triton.means.value,
                "shared_bytes_at_most": conversion.shared_bytes,
            }
            for conversion in one.conversions
        ],
        "dots": [
            {
                "place": place(module, dot.op),
                "operand_elements": list(dot.operands),
                "result_elements": dot.result,
                "live_registers": dot.registers,
                "live": [_holding(holding) for holding in dot.live],
            }
            for dot in one.dots
        ],
        "skipped": [{"value": value.spelling, "why": why} for value, why in one.skipped],
    }


def _holding(holding: Holding) -> Object:
    return {
        "value": holding.value.spelling,
        "shape": list(holding.layout.shape),
        "elements_per_thread": holding.elements,
        "registers": holding.registers,
        "replication": holding.replication,
    }
