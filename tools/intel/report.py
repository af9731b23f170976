"""Studies of Intel kernels as text, JSON, CSV and a plot. Nothing here computes a verdict."""

from __future__ import annotations

import csv
import html
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regtriage.dataflow.intel.devices import DEVICES, Device
from regtriage.dataflow.intel.estimate import Fit
from regtriage.dataflow.intel.gates import GateSet
from regtriage.tools.report.json import SCHEMA, Object, Value
from regtriage.tools.report.look import LABEL, NAME, Look, columns, paragraph
from regtriage.tools.report.words import count
from rich.text import Text

from .measure import Measurement
from .study import Basis, DotStudy, Study

FIT_STYLE = {Fit.FITS: "green", Fit.BORDERLINE: "yellow", Fit.OVER: "bold red"}
_UNKNOWN = "magenta"


# -- text -------------------------------------------------------------------------------------------------


def study_lines(study: Study, look: Look) -> Iterator[Text]:
    """One kernel."""
    device = study.device
    yield Text.assemble(
        (f"{study.path}: ", NAME), f"{device.name} ({device.family}), {device.ptss_cap} bytes of scratch a thread"
    )
    basis = f", {study.basis}" if study.basis is not Basis.NOTHING else ""
    yield Text.assemble(verdict(study.fit), f"{basis}: {study.why}")
    for dot in study.dots:
        yield Text()
        yield from _dot_lines(dot, look)
    if study.measured or study.failure:
        yield Text()
    for measurement in study.measured:
        yield from _measurement_lines(measurement, look)
    if study.failure:
        yield from paragraph(Text("  not measured  ", LABEL), study.failure, look.width)


def verdict(fit: Fit | None) -> Text:
    """The word, coloured; UNKNOWN for none."""
    return Text("UNKNOWN", _UNKNOWN) if fit is None else Text(str(fit), FIT_STYLE[fit])


def _dot_lines(study: DotStudy, look: Look) -> Iterator[Text]:
    dot = study.dot
    shape = dot.shape
    where = f"line {study.line}" + (f", {dot.function}" if dot.function else "")
    unit = f"{dot.unit}" + (f" ({dot.why_unknown})" if dot.why_unknown else "")
    yield Text.assemble((f"  tt.dot {dot.m}x{dot.n}x{dot.k}", NAME), f"  {where}: {unit}")
    if shape is None or study.estimate is None or study.judgement is None or study.choice is None:
        return
    tile, guess, judgement = shape.tile, study.estimate, study.judgement
    per_lane = (
        f"{tile.m} x {tile.n} results of {count(dot.warps, 'warp')} of {shape.lanes} lanes, {tile.fma} multiply-adds"
    )
    yield from _fact("lane", per_lane, look)
    terms = " + ".join(str(term.bytes) for term in guess.terms)
    yield from _fact("operands", f"{guess.high} bytes = {terms}", look)
    if look.verbose:
        for term in guess.terms:
            yield from _fact("", f"{term.bytes} bytes, {term.what}", look)
    span = f", at least {guess.low}, at most {guess.high}" if guess.low != guess.high else ""
    yield from _fact("estimate", f"{guess.bytes} bytes{span} ({guess.kind})", look)
    yield Text.assemble(
        ("    verdict   ", LABEL), verdict(judgement.fit), f", sureness {judgement.sureness}: {judgement.why}"
    )
    yield from _gate_lines(study.design, look)
    yield from _gate_lines(study.upstream, look)
    choice = study.choice
    text = f"{choice.k_tile}; {choice.why_not_larger}" if choice.k_tile else f"none: {choice.why_not_larger}"
    yield from _fact("K_TILE", text, look)
    if look.verbose:
        for size in choice.slices:
            yield from _fact("", f"{size.k_tile}: {size.estimate.bytes} bytes, {size.refused or 'possible'}", look)


def _fact(label: str, text: str, look: Look) -> list[Text]:
    return paragraph(Text(f"    {label:<10}", LABEL), text, look.width)


def _gate_lines(gates: GateSet, look: Look) -> Iterator[Text]:
    answer = f"stage, K_TILE {gates.k_tile}" if gates.passes else "leave alone"
    yield from _fact(gates.name, answer, look)
    for gate in gates.gates:
        mark = Text("yes", "green") if gate.passed else Text("no ", "red")
        label = Text.assemble("      ", mark, f"  {gate.name}: ")
        yield from paragraph(label, gate.numbers, look.width, hanging=11)


def _measurement_lines(m: Measurement, look: Look) -> Iterator[Text]:
    kernel = m.kernel
    word = Fit.OVER if m.is_over else Fit.FITS
    spill = "spill not reported" if kernel.spill_bytes is None else f"{kernel.spill_bytes} bytes spilled"
    facts = [f"{spill}, scratch {kernel.scratch_bytes}", f"SIMD{kernel.simd}, {kernel.grf_count} registers"]
    if m.shared is not None:
        facts.append(f"{m.shared} bytes of shared memory")
    yield Text.assemble((f"  {kernel.name}", NAME), "  measured: ", verdict(word), f", {', '.join(facts)}")
    if look.verbose:
        yield from _fact("", f"{kernel.code_bytes} bytes of code, compiled in {m.seconds:.1f} s", look)
    yield from _fact("by", f"{m.tools}, for {m.compiled_for}", look)


def next_line(study: Study) -> Text | None:
    """What a user does next, or None."""
    kernel = study.path
    if study.basis is not Basis.MEASURED and study.fit in (Fit.BORDERLINE, None):
        return Text.assemble(("next: ", LABEL), f"regtriage ptss --measure {kernel}", ("  ask the compiler", LABEL))
    if study.fit is Fit.OVER and any(d.design.passes for d in study.dots):
        out = kernel.with_suffix(".staged" + kernel.suffix)
        return Text.assemble(
            ("next: ", LABEL), f"regtriage stage {kernel} -o {out}", ("  the rewrite that fits", LABEL)
        )
    return None


def device_lines() -> list[Text]:
    """The table of devices."""
    head = ["device", "family", "product", "IP", "PTSS cap", "SLM", "GRF", "GRFs", "threads", "DPAS"]
    rows = [[Text(cell, LABEL) for cell in head]]
    for d in DEVICES:
        cells = [d.name, d.family, d.product, d.ip_version or "-", str(d.ptss_cap), str(d.slm_bytes)]
        cells += [str(d.grf_bytes), str(d.grf_count), str(d.threads), "yes" if d.has_dpas else "no"]
        rows.append([Text(cell) for cell in cells])
    return columns(rows, right=frozenset({4, 5, 6, 7, 8}))


# -- many kernels -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One kernel in a table: of its most demanding dot. recorded: a measurement made earlier, or None."""

    study: Study
    recorded: int | None = None

    @property
    def measured(self) -> int | None:
        """Now, or else earlier."""
        return self.recorded if self.study.spill_measured is None else self.study.spill_measured

    @property
    def worst(self) -> DotStudy | None:
        """The dot with the highest estimate, else the first."""
        guessed = [d for d in self.study.dots if d.estimate]
        return max(guessed, key=lambda d: d.estimate.bytes if d.estimate else 0, default=None) or next(
            iter(self.study.dots), None
        )

    @property
    def error(self) -> float | None:
        """Of the estimate, in parts of what was measured."""
        guess, real = self.study.spill_estimate, self.measured
        return guess / real - 1 if guess is not None and real else None


def table_lines(rows: Sequence[Row]) -> list[Text]:
    """One kernel a line."""
    head = ["kernel", "dot", "lane", "FMAs", "estimate", "measured", "error", "verdict", "by", "stage"]
    cells = [[Text(cell, LABEL) for cell in head]]
    for row in rows:
        worst = row.worst
        shape = worst.dot.shape if worst else None
        error = row.error
        line = [Text(row.study.path.name, NAME)]
        line.append(Text(f"{worst.dot.m}x{worst.dot.n}x{worst.dot.k}" if worst else "-"))
        line.append(Text(f"{shape.tile.m}x{shape.tile.n}" if shape else "-"))
        line += [
            Text(_number(value))
            for value in (shape.tile.fma if shape else None, row.study.spill_estimate, row.measured)
        ]
        line.append(Text("-" if error is None else f"{100 * error:+.1f} %"))
        line += [verdict(row.study.fit), Text(str(row.study.basis))]
        line.append(Text(str(worst.design.k_tile) if worst and worst.design.passes else "-"))
        cells.append(line)
    return columns(cells, right=frozenset({3, 4, 5, 6, 9}))


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def table_csv(rows: Sequence[Row]) -> str:
    """The same for other programs, with both gate sets."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(
        "kernel device m n k lanes lane_m lane_n fma estimate low high kind measured verdict basis"
        " design_k_tile upstream_k_tile".split()
    )
    for row in rows:
        worst, study = row.worst, row.study
        shape = worst.dot.shape if worst else None
        guess = worst.estimate if worst else None
        cells: list[object] = [study.path, study.device.name]
        cells += [worst.dot.m, worst.dot.n, worst.dot.k] if worst else ["", "", ""]
        cells += [shape.lanes, shape.tile.m, shape.tile.n, shape.tile.fma] if shape else [""] * 4
        cells += [guess.bytes, guess.low, guess.high, guess.kind] if guess else [""] * 4
        cells += ["" if row.measured is None else row.measured, study.fit or "UNKNOWN", study.basis]
        cells += [g.k_tile if g.passes else 0 for g in (worst.design, worst.upstream)] if worst else [0, 0]
        writer.writerow(cells)
    return sink.getvalue()


_SIZE, _MARGIN = 520, 64


def plot_svg(rows: Sequence[Row], device: Device) -> str:
    """Estimate (up) against measurement (right), both in bytes, on logarithmic axes with the cap on each.

    A kernel without a measurement stands at the left edge.
    """
    points = [(row.study.spill_estimate, row.measured, row.study.path.stem) for row in rows]
    points = [(guess, real, name) for guess, real, name in points if guess]
    values = [v for guess, real, _ in points for v in (guess, real) if v] + [device.ptss_cap]
    low, high = math.floor(math.log2(min(values))), math.ceil(math.log2(max(values)))

    def at(value: float) -> float:
        return (math.log2(value) - low) / max(1, high - low) * (_SIZE - 2 * _MARGIN) + _MARGIN

    def x(value: float) -> str:
        return f"{at(value):.1f}"

    def y(value: float) -> str:
        return f"{_SIZE - at(value):.1f}"

    first, last, cap = 2.0**low, 2.0**high, device.ptss_cap
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_SIZE} {_SIZE}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{_SIZE}" height="{_SIZE}" fill="white"/>',
        f'<line x1="{x(first)}" y1="{y(first)}" x2="{x(last)}" y2="{y(last)}" stroke="#bbb"/>',
    ]
    for exponent in range(low, high + 1):
        value = 2.0**exponent
        label = f"{value / 1024:g} K"
        parts.append(f'<text x="{x(value)}" y="{_SIZE - _MARGIN + 18}" text-anchor="middle">{label}</text>')
        parts.append(f'<text x="{_MARGIN - 8}" y="{y(value)}" text-anchor="end" dy="4">{label}</text>')
    for horizontal in (True, False):
        ends = (first, cap, last, cap) if horizontal else (cap, first, cap, last)
        x1, y1, x2, y2 = x(ends[0]), y(ends[1]), x(ends[2]), y(ends[3])
        parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#c00" stroke-dasharray="4 3"/>')
    parts.append(f'<text x="{x(last)}" y="{y(cap)}" dy="-5" text-anchor="end" fill="#c00">cap of {device.name}</text>')
    for guess, real, name in points:
        assert guess is not None
        where = x(real) if real else str(_MARGIN)
        colour = "#888" if not real else "#c00" if (real > cap) != (guess > cap) else "#06c"
        parts.append(
            f'<circle cx="{where}" cy="{y(guess)}" r="4" fill="{colour}" fill-opacity="0.6">'
            f"<title>{html.escape(name)}: estimated {guess}, measured {real or 'not'}</title></circle>"
        )
    middle = _SIZE / 2
    parts.append(f'<text x="{middle}" y="{_SIZE - 16}" text-anchor="middle">measured, bytes of a thread</text>')
    parts.append(
        f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">estimated</text></svg>'
    )
    return "\n".join(parts) + "\n"


# -- JSON -------------------------------------------------------------------------------------------------


def study_object(study: Study, version: str) -> Object:
    """One kernel. The first keys are those of `regtriage run`: there are no functions of an LLVM target to report."""
    device = study.device
    return {
        "schema": SCHEMA,
        "tool": {"name": "regtriage", "version": version},
        "input": str(study.path),
        "target": {"triple": "spirv64", "cpu": device.name, "opt": None},
        "functions": [],
        "ptss": {
            "verdict": str(study.fit or "UNKNOWN"),
            "basis": str(study.basis),
            "why": study.why,
            "cap": device.ptss_cap,
            "device": {
                "name": device.name, "family": device.family, "product": device.product, "dpas": device.has_dpas,
                "grf_bytes": device.grf_bytes, "grf_count": device.grf_count, "slm_bytes": device.slm_bytes,
            },
            "estimate": study.spill_estimate,
            "dots": [_dot_object(dot) for dot in study.dots],
            "measured": [measurement_object(m) for m in study.measured],
            "failure": study.failure or None,
        },
    }  # fmt: skip


def studies_object(rows: Sequence[Row], version: str) -> Object:
    """Several kernels."""
    kernels: list[Value] = []
    for row in rows:
        kernels.append({**study_object(row.study, version), "recorded": row.recorded})
    return {"schema": SCHEMA, "tool": {"name": "regtriage", "version": version}, "kernels": kernels}


def _dot_object(study: DotStudy) -> Object:
    dot, shape, guess, judgement = study.dot, study.dot.shape, study.estimate, study.judgement
    choice = study.choice
    return {
        "line": study.line,
        "function": dot.function,
        "m": dot.m, "n": dot.n, "k": dot.k, "warps": dot.warps,
        "unit": str(dot.unit),
        "lane": None if shape is None else {
            "lanes": shape.lanes, "m": shape.tile.m, "n": shape.tile.n, "fma": shape.tile.fma,
            "operand_bytes": shape.operand, "accumulator_bytes": shape.accumulator, "pinned": shape.pinned,
            "live_accumulator": shape.live_accumulator, "carried": shape.carried,
        },
        "estimate": None if guess is None else {
            "bytes": guess.bytes, "low": guess.low, "high": guess.high, "kind": str(guess.kind),
            "terms": [{"what": term.what, "bytes": term.bytes} for term in guess.terms],
        },
        "verdict": None if judgement is None else str(judgement.fit),
        "sureness": None if judgement is None else str(judgement.sureness),
        "gates": {"design": _gates_object(study.design), "upstream": _gates_object(study.upstream)},
        "k_tile": None if choice is None else {
            "chosen": choice.k_tile, "why_not_larger": choice.why_not_larger,
            "looked_at": [
                {"k_tile": s.k_tile, "estimate": s.estimate.bytes, "verdict": str(s.fit), "refused": s.refused or None}
                for s in choice.slices
            ],
        },
    }  # fmt: skip


def _gates_object(gates: GateSet) -> Object:
    return {
        "stage": gates.passes,
        "k_tile": gates.k_tile,
        "gates": [{"name": g.name, "passed": g.passed, "numbers": g.numbers} for g in gates.gates],
    }


def measurement_object(m: Measurement) -> Object:
    """One kernel as the compiler made it."""
    kernel = m.kernel
    return {
        "kernel": kernel.name, "over": m.is_over, "spill": kernel.spill_bytes, "scratch": kernel.scratch_bytes,
        "simd": kernel.simd, "grf_count": kernel.grf_count, "code_bytes": kernel.code_bytes, "shared": m.shared,
        "compiled_for": m.compiled_for, "tools": m.tools, "seconds": round(m.seconds, 2),
    }  # fmt: skip
