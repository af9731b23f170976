"""The reports of `regtriage layout …`: one fact a line, tables where there are many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regtriage.dataflow.layout.choices import Choice
from regtriage.dataflow.layout.coalescing import PointerFacts, Width
from regtriage.dataflow.layout.conversion import Means, Moves, Release, TritonWay
from regtriage.dataflow.layout.encodings import Blocked
from regtriage.dataflow.layout.linear import INDICES, LANE, REGISTER, WARP, LinearLayout
from regtriage.dataflow.layout.memory import Accesses, BankAccesses
from regtriage.dataflow.layout.pressure import Conversion, DotCost, Explanation, Holding
from regtriage.dataflow.ttgir.model import Module, Operation
from regtriage.dataflow.ttgir.spelling import spell_encoding
from regtriage.dataflow.ttgir.types import MemDesc, element_bits
from regtriage.tools.report.look import LABEL, NAME, columns
from rich.text import Text

from .spec import short

_MEANS_STYLE = {
    Means.REGISTERS: "green",
    Means.WARP_SHUFFLE: "yellow",
    Means.SHARED_MEMORY: "red",
    Means.CLUSTER: "bold red",
}


def _means(means: Means | None) -> Text:
    return Text("not known", "magenta") if means is None else Text(means.value, _MEANS_STYLE[means])


def _fact(label: str, value: str | Text, width: int = 12) -> Text:
    return Text.assemble((f"  {label:<{width}}", LABEL), value)


def spell_shape(shape: Sequence[int]) -> str:
    """`64x128`."""
    return "x".join(map(str, shape))


def _elements(count: int) -> str:
    return "1 element" if count == 1 else f"{count} elements"


def _coordinates(vector: Sequence[int]) -> str:
    return f"({','.join(map(str, vector))})"


# coalesce


def coalesce_lines(facts: PointerFacts, width: Width, elements: int, layout: Blocked) -> Iterator[Text]:
    """One access described on the command line."""
    yield Text(f"{spell_shape(facts.shape)}, {facts.element_bits}-bit elements", NAME)
    limits = f"divisibility {width.by_alignment}, contiguity {width.by_contiguity}, 128 bits {width.by_vector}"
    yield _fact("elements", f"{elements} a thread (at most: {limits})")
    yield _fact("layout", short(layout))
    yield _fact("as Triton", spell_encoding(layout))


def choices_lines(module: Module, found: Sequence[Choice]) -> Iterator[Text]:
    """The accesses of a file."""
    yield Text(f"{module.source.path}: {len(found)} accesses through tensors of pointers", NAME)
    for choice in found:
        yield Text()
        tensor = f"{spell_shape(choice.facts.shape)} {choice.facts.element_bits}-bit"
        yield Text.assemble((f"{place(module, choice.op)}: ", NAME), f"{choice.op.name}, {tensor}")
        if choice.chosen is not None:
            verdict = Text("  as the rule", "green") if choice.agrees else Text("  not the rule's", "yellow")
            yield _fact("chosen", Text.assemble(short(choice.chosen), verdict))
        yield _fact("rule", short(choice.rule))
        dim = choice.rule.order[0]
        known = f"contiguity {choice.facts.contiguity[dim]}, divisibility {_huge(choice.facts.divisibility[dim])}"
        yield _fact("known", f"dimension {dim} first: {known}; {_elements(choice.elements)} a thread")
        for reason in choice.reasons:
            yield _fact("why", reason)


def _huge(value: int) -> str:
    return "any" if value >= 1 << 62 else str(value)


def place(module: Module, op: Operation) -> str:
    """Where an op comes from: the user's line if the file says, else the line in the file."""
    location = module.location(op)
    if location is not None:
        return str(location)
    line, column = module.source.position(op.name_span.start)
    return f"{module.source.path}:{line}:{column}"


# show


def summary_lines(name: str, layout: LinearLayout) -> Iterator[Text]:
    """What a layout amounts to for a tensor."""
    yield Text(f"{name} for {spell_shape(layout.shape)}", NAME)
    unique = layout.without_repeated_registers().count(REGISTER)
    registers = layout.count(REGISTER)
    repeated = f", of {registers} registers" if registers != unique else ""
    threads = f"{layout.count(WARP)} warps of {layout.count(LANE)} lanes"
    yield _fact("thread", f"{_elements(unique)}{repeated}; {threads}")
    if layout.replication > 1:
        yield _fact("copies", f"every element has {layout.replication} places")
        for index in INDICES:
            bits = [bit for bit, basis in enumerate(layout.of_index(index)) if not basis]
            if bits:
                yield _fact("", f"{index} {'bit' if len(bits) == 1 else 'bits'} {', '.join(map(str, bits))}: a copy")
    if not layout.is_surjective:
        yield _fact("missing", f"only {1 << layout.rank} of {layout.size} elements have a place")


def bases_lines(layout: LinearLayout) -> Iterator[Text]:
    """The linear form: the element that each bit of each index moves to."""
    for index in layout.bases:
        vectors = layout.vectors(index)
        shown = ", ".join(f"[{', '.join(map(str, vector))}]" for vector in vectors)
        yield _fact(index, f"[{shown}]")


def holder_lines(layout: LinearLayout, element: int) -> Iterator[Text]:
    """Who holds an element: all of its places."""
    found = layout.holders(element)
    names = [index for index in reversed(INDICES) if index in found and (layout.count(index) > 1 or index != "block")]
    count = len(next(iter(found.values())))
    vector = _coordinates(layout.vector(element))
    for at in range(min(count, 64)):
        places = ", ".join(f"{name} {int(found[name][at])}" for name in names)
        yield _fact(vector, places)
    if count > 64:
        yield _fact("", f"and {count - 64} more places")
    if not count:
        yield _fact(vector, "nobody")


def thread_lines(layout: LinearLayout, warp: int, lane: int) -> Iterator[Text]:
    """What a thread holds, register by register."""
    base = layout.element({WARP: warp, LANE: lane})
    elements = [int(element) for element in layout.elements(REGISTER).reshape(-1)[:64] ^ base]
    held = " ".join(_coordinates(layout.vector(element)) for element in elements)
    more = f" and {layout.count(REGISTER) - 64} more" if layout.count(REGISTER) > 64 else ""
    yield _fact(f"warp {warp} lane {lane}", held + more, width=18)


# sectors


@dataclass(frozen=True)
class Case:
    """One way to lay a tensor in memory, and what the accesses then cost."""

    name: str
    strides: tuple[int, ...]
    accesses: Accesses


def sectors_lines(name: str, layout: LinearLayout, cases: Sequence[Case]) -> Iterator[Text]:
    """Sectors of each case; where accesses differ, how many there are of each kind."""
    yield Text(f"{name} for {spell_shape(layout.shape)}", NAME)
    for case in cases:
        found = case.accesses
        yield Text()
        strides = ", ".join(map(str, case.strides))
        yield Text.assemble((f"{case.name}: ", NAME), f"strides {strides}")
        each = f"{found.vector} elements each" if found.vector > 1 else "one element each"
        many = "one instruction" if found.instructions == 1 else f"{found.instructions} instructions"
        yield _fact("access", f"{_elements(found.group)} a lane, {many} of {each}")
        touched, used = found.touched.reshape(-1), found.used.reshape(-1)
        kinds: dict[tuple[int, int], int] = {}
        for t, u in zip(touched.tolist(), used.tolist(), strict=True):
            kinds[t, u] = kinds.get((t, u), 0) + 1
        ordered = sorted(kinds.items(), key=lambda item: item[0][1] / item[0][0])
        for (t, u), count in ordered[:4]:
            share = u / (t * found.width)
            yield _fact("sectors", f"{t} of {found.width} bytes for {u}, efficiency {share:.3g}  ({count} accesses)")
        if len(ordered) > 4:
            yield _fact("", f"and {len(ordered) - 4} kinds with a better efficiency")
        warp, access = found.worst
        yield _fact("all", f"{int(touched.sum())} sectors, efficiency {found.efficiency:.3g}")
        if len(kinds) > 1:
            yield _fact("worst", f"access {access} of warp {warp}")


# convert


@dataclass(frozen=True)
class Trip:
    """A way through a buffer in shared memory: how the store and the load meet in the banks."""

    name: str
    buffer_bytes: int
    store: BankAccesses
    load: BankAccesses


def convert_lines(
    names: tuple[str, str], moves: Moves, ways: Sequence[tuple[Release, TritonWay]], trips: Sequence[Trip]
) -> Iterator[Text]:
    """By ownership first, then Triton's own way, then what shared memory would cost."""
    yield Text(f"{names[0]} -> {names[1]}", NAME)
    yield _fact("by owner", _means(moves.means))
    parts = [f"{moves.same_lane} stay in their lane", f"{moves.other_lane} come from another lane of the warp"]
    parts.append(f"{moves.other_warp} from another warp")
    if moves.other_block:
        parts.append(f"{moves.other_block} from another block")
    yield _fact("places", "; ".join(parts))
    same = len({way for _, way in ways}) == 1
    for release, way in ways[:1] if same else ways:
        label = "Triton" if same else f"Triton {release.value}"
        note = ""
        if way.means is None:
            note = ": the layouts are no permutation of each other's bits"
        elif way.swaps is not None and way.means is not Means.REGISTERS:
            bits = "bit changes" if way.swaps == 1 else "bits change"
            note = f": {way.swaps} register {bits} place with lane bits"
        elif way.means is not moves.means:
            note = ": it reads each copy from one fixed owner"
        yield _fact(label, Text.assemble(_means(way.means), note), width=18 if not same else 12)
    if any(way.means is not moves.means for _, way in ways):
        yield _fact("differ", "Triton is stricter than ownership: see docs/layout.md")
    for trip in trips:
        yield _fact("shared", f"{trip.buffer_bytes} bytes, {trip.name}")
        for label, side in (("store", trip.store), ("load", trip.load)):
            cost = f"{side.worst} cycles at worst, {side.ideal} without conflicts; {side.conflicts} lost in all"
            yield _fact(f"  {label}", f"{_elements(side.vector)} a lane at once: {cost}")


# explain


def explain_lines(module: Module, found: Sequence[Explanation], *, verbose: bool) -> Iterator[Text]:
    """A kernel: conversions (in loops first), what is live at dots, buffers, then values by registers."""
    head = f"{module.num_warps} warps of {module.threads_per_warp} lanes"
    target = f", {module.target}" if module.target else ""
    yield Text(f"{module.source.path}: {head}{target}", NAME)
    for explanation in found:
        yield Text()
        yield Text(explanation.function.symbol, NAME)
        yield from _conversions(module, explanation.conversions)
        for dot in explanation.dots:
            yield from _dot_lines(module, dot, verbose=verbose)
        yield from _buffers(explanation)
        yield from _values(module, explanation.holdings, verbose=verbose)
        for value, why in explanation.skipped if verbose else ():
            yield _fact("skipped", f"{value.spelling}: {why}")
        if explanation.skipped and not verbose:
            yield _fact("skipped", f"{len(explanation.skipped)} values whose layout has no known linear form (-v)")


def _conversions(module: Module, conversions: Sequence[Conversion]) -> Iterator[Text]:
    if not conversions:
        yield _fact("conversions", "none")
        return
    yield _fact("conversions", str(len(conversions)))
    rows: list[list[Text]] = []
    for conversion in conversions:
        loop = f"loop {conversion.depth}" if conversion.depth else ""
        owner = (
            "" if conversion.triton.means is conversion.by_ownership else f"by owner {conversion.by_ownership.value}"
        )
        size = f"{conversion.shared_bytes} bytes at most" if conversion.shared_bytes else ""
        operand, result = conversion.op.operands[0].value, conversion.op.results[0]
        rows.append(
            [
                Text(f"    {loop}"), _means(conversion.triton.means), Text(size), Text(owner),
                Text(f"{operand.spelling} -> {result.spelling}"), Text(place(module, conversion.op), LABEL),
            ]
        )  # fmt: skip
    yield from columns(rows)


def _dot_lines(module: Module, dot: DotCost, *, verbose: bool) -> Iterator[Text]:
    yield Text.assemble(("  dot         ", LABEL), (place(module, dot.op), NAME))
    a, b = ("in memory" if n is None else f"{n}" for n in dot.operands)
    result = "in memory" if dot.result is None else str(dot.result)
    yield _fact("", f"a thread holds A {a}, B {b}, result {result} elements")
    yield _fact("", f"about {dot.registers} registers of 32 bits live")
    shown = dot.live if verbose else dot.live[:6]
    for holding in shown:
        if holding.registers > 1 or verbose:
            yield _fact("", f"  {holding.registers:>5}  {holding.value.spelling}")


def _buffers(explanation: Explanation) -> Iterator[Text]:
    total = 0
    for value in explanation.buffers:
        type_ = value.type
        assert isinstance(type_, MemDesc)
        size = element_bits(type_) // 8
        for extent in type_.shape:
            size *= extent
        total += size
        yield _fact("shared", f"{size} bytes  {value.spelling}  {short(type_.encoding)}")
    if len(explanation.buffers) > 1:
        yield _fact("", f"{total} bytes in all, if no two share a place")


def _values(module: Module, holdings: Sequence[Holding], *, verbose: bool) -> Iterator[Text]:
    ordered = sorted(holdings, key=lambda holding: -holding.registers)
    shown = ordered if verbose else ordered[:12]
    yield _fact(
        "values", f"{len(holdings)} tensors" + ("" if len(shown) == len(ordered) else ", the largest (-v: all)")
    )
    rows: list[list[Text]] = [[Text("    registers"), Text("copies"), Text("value"), Text("layout")]]
    for holding in shown:
        type_ = holding.value.type
        encoding = getattr(type_, "encoding", None)
        rows.append(
            [
                Text(f"    {holding.registers}"), Text(str(holding.replication)), Text(holding.value.spelling),
                Text(f"{spell_shape(holding.layout.shape)} {short(encoding) if encoding is not None else ''}"),
            ]
        )  # fmt: skip
    yield from columns(rows)
