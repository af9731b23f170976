"""`regtriage layout`: who holds which element of a tensor, and what that costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click
from regtriage.dataflow.layout.choices import Setting, choices
from regtriage.dataflow.layout.coalescing import PointerFacts, access_width, coalesced_layout, share_of
from regtriage.dataflow.layout.conversion import Release, by_triton, counts
from regtriage.dataflow.layout.encodings import LayoutError, PaddedShared, Shared
from regtriage.dataflow.layout.forms import shared_form
from regtriage.dataflow.layout.linear import LANE, WARP, LinearLayout
from regtriage.dataflow.layout.memory import accesses, bank_accesses, buffer_bytes, column_major, row_major
from regtriage.dataflow.layout.pressure import explain as explain_module
from regtriage.tools.files import replace
from regtriage.tools.layout import objects, report
from regtriage.tools.layout.picture import Thread, plane, svg_map, text_map
from regtriage.tools.layout.spec import (
    Layout,
    linear,
    parse_layout,
    parse_numbers,
    parse_shape,
    parse_type,
    read_module,
    shape_of,
    short,
)
from regtriage.tools.llc.errors import InputError
from regtriage.tools.report import json
from regtriage.tools.report.look import render
from rich.text import Text

from . import output
from .exits import ExitCode
from .options import JsonFile, Session, command, json_option, program_version
from .targets import OutputFile


@click.group(
    "layout",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
A layout is written
  [1,4]/[2,16]/[4,1]            blocked: elements a thread, lanes, warps; the last dimension first
  [1,4]/[2,16]/[4,1]/[0,1]      the same, with an order
  slice:1:LAYOUT  dot:0:LAYOUT  dot:1:8:LAYOUT (with kWidth)
  '#ttg.linear<{...}>'          any layout as Triton prints it
  kernel.ttgir:%12              that of a value in a file

\b
Examples:
  regtriage layout coalesce kernel.ttgir
  regtriage layout show '[1,4]/[8,4]/[2,1]' --shape 16x16 --thread 1,5
  regtriage layout explain kernel.ttgir""",
)
@click.pass_context
def layout(context: click.Context) -> ExitCode:
    """Who holds which element of a tensor, in which register, and what that costs."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
    return ExitCode.INPUT


_shape_option = click.option("--shape", metavar="MxN", help="The tensor's shape.  [default: that of the value]")


def _finish(
    session: Session, json_file: JsonFile | None, lines: Iterator[Text], name: str, content: Callable[[], json.Object]
) -> ExitCode:
    if json_file is None or not json_file.is_stdout:
        output.write(render(lines, colored=session.colored))
    if json_file is not None:
        json_file.write(json.dump(objects.envelope(name, program_version(), content())))
    return ExitCode.CLEAN


_COALESCE = """
regtriage layout coalesce --shape 64x64 --type f32 --divisibility 16
regtriage layout coalesce kernel.ttgir
regtriage layout coalesce kernel.ttir --warps 8 --target hip:gfx950 --threads-per-warp 64
"""


@command("coalesce", _COALESCE)
@click.argument("kernel", type=click.Path(path_type=Path), required=False)
@click.option("--shape", metavar="MxN", help="The tensor's shape, where no file is given.")
@click.option("--type", "type_", default="f32", show_default=True, metavar="TYPE", help="What the pointers point to.")
@click.option("--divisibility", default=16, show_default=True, metavar="BYTES", help="Of the first address of a row.")
@click.option("--contiguity", type=int, metavar="N", help="Neighbours in memory.  [default: the whole dimension]")
@click.option("--order", metavar="I,J", help="Dimensions, the contiguous one first.  [default: the last first]")
@click.option("--warps", type=int, metavar="N", help="Warps of a block.  [default: the file's, or 4]")
@click.option("--threads-per-warp", type=int, metavar="N", help="[default: the file's, or 32]")
@click.option("--target", metavar="NAME", help="As modules name it, for atomics.  [default: the file's]")
@json_option
def coalesce(
    session: Session,
    kernel: Path | None,
    shape: str | None,
    type_: str,
    divisibility: int,
    contiguity: int | None,
    order: str | None,
    warps: int | None,
    threads_per_warp: int | None,
    target: str | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """The layout that makes accesses wide and contiguous, by Triton's rule.

    With a KERNEL (.ttgir or .ttir): for each load, store and atomic the layout it has, the one the rule gives,
    and why they differ.
    """
    if kernel is not None:
        if shape is not None:
            raise InputError(f"{kernel}: error: a file has its own shapes: leave out --shape")
        module = read_module(kernel)
        own = Setting.of(module)
        setting = Setting(warps or own.warps, threads_per_warp or own.threads_per_warp, target or own.target)
        try:
            found = choices(module, setting)
        except LayoutError as error:
            raise InputError(f"{kernel}: error: {error}") from None
        lines = report.choices_lines(module, found)
        return _finish(session, json_file, lines, "coalesce", lambda: objects.choices_object(module, found))
    if shape is None:
        raise InputError("error: give a file, or --shape")
    extents = parse_shape(shape)
    dims = parse_numbers(order, "an order") if order else tuple(reversed(range(len(extents))))
    if sorted(dims) != list(range(len(extents))):
        raise InputError(f"'{order}': error: an order names each dimension of {shape} once")
    run = contiguity if contiguity is not None else extents[dims[0]]
    facts = PointerFacts(
        extents, max(8, parse_type(type_)),
        tuple(run if dim == dims[0] else 1 for dim in range(len(extents))), (divisibility,) * len(extents),
    )  # fmt: skip
    if run < 1 or divisibility < 1:
        raise InputError("error: contiguity and divisibility are at least 1")
    try:
        width = access_width(facts, dims, share_of(extents, ()))
        result = coalesced_layout(facts, warps or 4, threads_per_warp or 32, dims)
    except LayoutError as error:
        raise InputError(f"error: {error}") from None
    elements = result.size_per_thread[dims[0]]
    lines = report.coalesce_lines(facts, width, elements, result)
    return _finish(session, json_file, lines, "coalesce", lambda: objects.coalesce_object(facts, elements, result))


_SHOW = """
regtriage layout show '[1,4]/[8,4]/[2,1]' --shape 16x16 --thread 1,5
regtriage layout show 'dot:0:[1,4]/[2,16]/[4,1]' --shape 64x32 --bases
regtriage layout show kernel.ttgir:%42 --svg map.svg
"""


@command("show", _SHOW)
@click.argument("spec", metavar="LAYOUT")
@_shape_option
@click.option("--element", metavar="I,J", help="Say who holds this element.")
@click.option("--thread", metavar="WARP,LANE", help="Say what this thread holds, and mark it in the map.")
@click.option("--at", metavar="I,J", help="The plane to map: indices of all dimensions but the last two.  [default: 0]")
@click.option("--bases", is_flag=True, help="Print the bases of the linear form in place of the map.")
@click.option("--registers", is_flag=True, help="Show warp:lane.register in the map.")
@click.option("--svg", type=OutputFile(), metavar="FILE", help="Draw the map to FILE.")
@json_option
def show(
    session: Session,
    spec: str,
    shape: str | None,
    element: str | None,
    thread: str | None,
    at: str | None,
    bases: bool,  # noqa: FBT001
    registers: bool,  # noqa: FBT001
    svg: Path | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """Who holds each element: warp:lane of its first owner, a `+` where there are more."""
    parsed = parse_layout(spec)
    if isinstance(parsed.encoding, Shared):
        return _show_shared(session, parsed, shape, json_file)
    form = linear(parsed, shape_of([parsed], shape))
    chosen = _thread(form, thread)
    number = _element(form, element)
    where = parse_numbers(at, "a place") if at else (0,) * max(0, len(form.shape) - 2)
    if len(where) != max(0, len(form.shape) - 2) or any(
        not 0 <= i < n for i, n in zip(where, form.shape, strict=False)
    ):
        raise InputError(f"'{at}': error: a plane of {report.spell_shape(form.shape)} is named by its other indices")
    drawn = plane(form, where, chosen)
    name = short(parsed.encoding)
    if svg is not None:
        replace(svg, svg_map(drawn, f"{name}  {report.spell_shape(form.shape)}"))

    def lines() -> Iterator[Text]:
        yield from report.summary_lines(name, form)
        if number is not None:
            yield from report.holder_lines(form, number)
        if chosen is not None:
            yield from report.thread_lines(form, chosen.warp, chosen.lane)
        if bases:
            yield from report.bases_lines(form)
        elif number is None:
            yield Text()
            yield from text_map(drawn, output.width(), registers=registers)

    def content() -> json.Object:
        found = objects.show_object(form)
        if number is not None:
            found["holders"] = objects.holders_object(form, number)
        if chosen is not None:
            found["thread"] = objects.thread_object(form, chosen.warp, chosen.lane)
        return found

    return _finish(session, json_file, lines(), "show", content)


def _show_shared(session: Session, parsed: Layout, shape: str | None, json_file: JsonFile | None) -> ExitCode:
    buffer, _ = _buffer(parsed, shape_of([parsed], shape), parsed.bits or 32)

    def lines() -> Iterator[Text]:
        yield Text(f"{short(parsed.encoding)} for {report.spell_shape(buffer.shape)}", "bold")
        yield from report.bases_lines(buffer)

    return _finish(session, json_file, lines(), "show", lambda: objects.show_object(buffer))


def _thread(form: LinearLayout, text: str | None) -> Thread | None:
    if text is None:
        return None
    numbers = parse_numbers(text, "a thread")
    if len(numbers) != 2:
        raise InputError(f"'{text}': error: a thread is written WARP,LANE")
    warp, lane = numbers
    if not (0 <= warp < form.count(WARP) and 0 <= lane < form.count(LANE)):
        raise InputError(f"'{text}': error: there are {form.count(WARP)} warps of {form.count(LANE)} lanes")
    return Thread(warp, lane)


def _element(form: LinearLayout, text: str | None) -> int | None:
    if text is None:
        return None
    vector = parse_numbers(text, "an element")
    if len(vector) != len(form.shape) or any(not 0 <= i < n for i, n in zip(vector, form.shape, strict=True)):
        raise InputError(f"'{text}': error: there is no such element in {report.spell_shape(form.shape)}")
    number = 0
    for index, extent in zip(vector, form.shape, strict=True):
        number = number * extent + index
    return number


_SECTORS = """
regtriage layout sectors '[1,4]/[2,16]/[4,1]' --shape 64x64 --type f32
regtriage layout sectors '[1,4]/[2,16]/[4,1]' --shape 64x64 --type f16 --strides 80,1 --alignment 16
regtriage layout sectors kernel.ttgir:%18 --width 128
"""


@command("sectors", _SECTORS)
@click.argument("spec", metavar="LAYOUT")
@_shape_option
@click.option("--type", "type_", metavar="TYPE", help="The element's type.  [default: the value's, or f32]")
@click.option("--strides", metavar="I,J", help="In elements.  [default: dense by rows, then by columns]")
@click.option("--alignment", default=128, show_default=True, metavar="BYTES", help="Of the tensor's first byte.")
@click.option(
    "--width", type=click.Choice(["32", "64", "128"]), default="32", show_default=True,
    help="Bytes that move together: sectors of NVIDIA (32), lines of AMD (64, 128) and Intel (64).",
)  # fmt: skip
@click.option("--group", type=int, metavar="N", help="Elements a lane takes in one access.  [default: by the layout]")
@json_option
def sectors(
    session: Session,
    spec: str,
    shape: str | None,
    type_: str | None,
    strides: str | None,
    alignment: int,
    width: str,
    group: int | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """The pieces of memory that each access of a warp touches, and how much of them is used."""
    parsed = parse_layout(spec)
    form = linear(parsed, shape_of([parsed], shape))
    bits = parse_type(type_) if type_ else parsed.bits or 32
    if strides is not None:
        ways = [("given", parse_numbers(strides, "strides"))]
    else:
        ways = [("by rows", row_major(form.shape)), ("by columns", column_major(form.shape))]
        ways = ways[:1] if len(form.shape) == 1 else ways
    try:
        cases = [
            report.Case(
                name, steps,
                accesses(form, steps, max(1, bits // 8), alignment=alignment, width=int(width), group=group),
            )
            for name, steps in ways
        ]  # fmt: skip
    except LayoutError as error:
        raise InputError(f"'{spec}': error: {error}") from None
    lines = report.sectors_lines(short(parsed.encoding), form, cases)
    return _finish(session, json_file, lines, "sectors", lambda: objects.sectors_object(form, cases))


_CONVERT = """
regtriage layout convert '[1,4]/[8,4]/[2,1]' '[1,2]/[8,4]/[2,1]' --shape 16x16
regtriage layout convert kernel.ttgir:%31 kernel.ttgir:%40
regtriage layout convert A B --shape 64x64 --via '#ttg.swizzled_shared<{vec = 4, perPhase = 1,
  maxPhase = 8, order = [1, 0]}>'
"""


@command("convert", _CONVERT)
@click.argument("source", metavar="A")
@click.argument("destination", metavar="B")
@_shape_option
@click.option("--type", "type_", metavar="TYPE", help="The element's type.  [default: the value's, or f32]")
@click.option("--via", metavar="LAYOUT", help="A layout of shared memory to go through.  [default: none swizzled]")
@json_option
def convert(
    session: Session,
    source: str,
    destination: str,
    shape: str | None,
    type_: str | None,
    via: str | None,
    json_file: JsonFile | None,
) -> ExitCode:
    """What it takes to convert a tensor from layout A to B: registers, warp_shuffle or shared_memory.

    First by who owns each element, then what Triton does, which is stricter.
    """
    pair = [parse_layout(source), parse_layout(destination)]
    extents = shape_of(pair, shape)
    a, b = (linear(one, extents) for one in pair)
    bits = parse_type(type_) if type_ else next((one.bits for one in pair if one.bits), 32)
    try:
        moves = counts(a, b)
        ways = [(release, by_triton(a, b, release)) for release in (Release.V3_9, Release.V3_8)]
    except LayoutError as error:
        raise InputError(f"'{source}': error: {error}") from None
    through = parse_layout(via) if via else _plain(len(extents))
    trips = _trips(through, extents, bits, (a, b))
    names = (short(pair[0].encoding), short(pair[1].encoding))
    lines = report.convert_lines(names, moves, ways, trips)
    return _finish(session, json_file, lines, "convert", lambda: objects.convert_object(moves, ways, trips))


def _plain(rank: int) -> Layout:
    order = ", ".join(str(dim) for dim in reversed(range(rank)))
    return parse_layout(f"#ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [{order}]}}>")


def _buffer(parsed: Layout, shape: tuple[int, ...], bits: int) -> tuple[LinearLayout, PaddedShared | None]:
    encoding = parsed.encoding
    if not isinstance(encoding, Shared):
        raise InputError(f"'{parsed.text}': error: a layout of shared memory is needed")
    try:
        form = shared_form(encoding, shape, bits)
    except LayoutError as error:
        raise InputError(f"'{parsed.text}': error: {error}") from None
    return form, encoding if isinstance(encoding, PaddedShared) else None


def _trips(
    through: Layout, shape: tuple[int, ...], bits: int, pair: tuple[LinearLayout, LinearLayout]
) -> Sequence[report.Trip]:
    buffer, padding = _buffer(through, shape, bits)
    size = max(1, bits // 8)
    try:
        store, load = (bank_accesses(form, buffer, size, padding) for form in pair)
    except LayoutError as error:
        raise InputError(f"'{through.text}': error: {error}") from None
    return [report.Trip(short(through.encoding), buffer_bytes(buffer, size, padding), store, load)]


_EXPLAIN = """
regtriage layout explain kernel.ttgir
regtriage layout explain kernel.ttgir --json=costs.json
"""


@command("explain", _EXPLAIN)
@click.argument("kernel", type=click.Path(path_type=Path))
@json_option
def explain(session: Session, kernel: Path, json_file: JsonFile | None) -> ExitCode:
    """Registers of every tensor of KERNEL, its conversions, and what is live at each dot."""
    module = read_module(kernel)
    found = explain_module(module)
    lines = report.explain_lines(module, found, verbose=session.verbose)
    return _finish(session, json_file, lines, "explain", lambda: objects.explain_object(module, found))


for _command in (coalesce, show, sectors, convert, explain):
    layout.add_command(_command)
