"""When to stage a dot's operands in shared memory, by two sets of conditions, with every number they compare.

DESIGN  The four of this toolkit: the device has no matrix unit, the estimated spill is over the budget (the cap of
        the device), K divides into slices, and both operands as loaded fit in shared memory together.
UPSTREAM  The five of the pass that Intel's Triton backend has since July 2026 (intel-xpu-backend-for-triton #7291):
        a blocked result, more than 4096 bytes a lane, both operands reach the dot through shared memory or a
        conversion, at most 56 KiB of shared memory, and a slice by its own rule. It asks for no missing matrix unit,
        and its 4096 bytes a lane are half of the cap at 32 lanes.

The design's slice: the largest K_TILE, a power of two from 16 on that divides K and is smaller, whose estimated
scratch stays within a quarter of the cap, so that an estimate wrong by far still builds and little is spilled. If
there is none, the smallest of those that fit at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..layout.encodings import Blocked
from .devices import Device
from .dots import Dot, Form, Shape, Unit
from .estimate import Estimate, Fit, estimate, judge, staged_estimate

SMALLEST_SLICE = 16
_UPSTREAM_LANE_BYTES = 4096
_UPSTREAM_SLM = 57344
_UPSTREAM_SLICE_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition. numbers: what was compared with what."""

    name: str
    passed: bool
    numbers: str


@dataclass(frozen=True, slots=True)
class Slice:
    """A K_TILE that was looked at. refused: why it was not taken, "" if it could be."""

    k_tile: int
    estimate: Estimate
    fit: Fit
    refused: str


@dataclass(frozen=True, slots=True)
class GateSet:
    """passes: all of them hold. k_tile: the slice, 0 if there is none."""

    name: str
    gates: tuple[Gate, ...]
    k_tile: int

    @property
    def passes(self) -> bool:
        """Whether the dot is to be staged."""
        return all(gate.passed for gate in self.gates)

    @property
    def failed(self) -> tuple[Gate, ...]:
        """Those that do not hold."""
        return tuple(gate for gate in self.gates if not gate.passed)


@dataclass(frozen=True, slots=True)
class Choice:
    """k_tile: 0 if none is possible. why_not_larger: about the next one."""

    k_tile: int
    slices: tuple[Slice, ...]
    why_not_larger: str


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a kernel beyond its text; None where nothing was asked.

    has_dpas: what a compiler reported of the device. spill: bytes that a compiler reported of the kernel.
    """

    has_dpas: bool | None = None
    spill: int | None = None


NOTHING = Known()


def design_gates(
    dot: Dot, device: Device, form: Form = Form.LOOP, known: Known = NOTHING, other_buffers: int = 0
) -> GateSet:
    """The design's four, and one more that they take for granted: the dot is on the FMA path.

    other_buffers: bytes of shared memory in use across the dot besides its operands.
    """
    dpas = device.has_dpas if known.has_dpas is None else known.has_dpas
    why = f" ({dot.why_unknown})" if dot.why_unknown else ""
    gates = [Gate("FMA path", dot.unit is Unit.FMA, f"computed by: {dot.unit}{why}")]
    if dot.target not in ("", "xpu"):
        gates.append(Gate("Intel target", passed=False, numbers=f"the kernel is for {dot.target}"))
    gates.append(Gate("no DPAS unit", not dpas, f"{device.name} has {'one' if dpas else 'none'}"))
    if dot.shape is None:
        return GateSet("design", tuple(gates), 0)
    gates.append(_budget_gate(dot.shape, device, known.spill))
    choice = choose_slice(dot, device, form)
    numbers = f"K = {dot.k}, K_TILE = {choice.k_tile}" if choice.k_tile else f"K = {dot.k}: {choice.why_not_larger}"
    gates.append(Gate("K divisible", choice.k_tile > 0, numbers))
    staged = dot.stored_bytes + other_buffers
    gates.append(
        Gate("operands fit SLM", staged <= device.slm_bytes, f"{_slm_sum(dot, other_buffers)} of {device.slm_bytes} B")
    )
    return GateSet("design", tuple(gates), choice.k_tile)


def _budget_gate(shape: Shape, device: Device, measured: int | None) -> Gate:
    """What was measured decides, else the verdict on the estimate."""
    if measured is not None:
        numbers = f"{measured} B measured, {device.ptss_cap} B permitted"
        return Gate("spill over budget", measured > device.ptss_cap, numbers)
    guess = estimate(shape, device.register_file)
    fit = judge(guess, device).fit
    numbers = f"{guess.bytes} B estimated, {device.ptss_cap} B permitted: {fit}"
    return Gate("spill over budget", fit is Fit.OVER, numbers)


def _slm_sum(dot: Dot, other_buffers: int) -> str:
    a, b = dot.m * dot.k * dot.a.stored_bits // 8, dot.k * dot.n * dot.b.stored_bits // 8
    other = f" + {other_buffers} in use" if other_buffers else ""
    return f"{a} + {b}{other} = {a + b + other_buffers}"


def slices(k: int) -> tuple[int, ...]:
    """The slices of a K: powers of two from 16 on that divide it and are smaller."""
    found: list[int] = []
    size = SMALLEST_SLICE
    while size < k:
        if k % size == 0:
            found.append(size)
        size *= 2
    return tuple(found)


def choose_slice(dot: Dot, device: Device, form: Form = Form.LOOP) -> Choice:
    """The K_TILE for a dot on the FMA path (one with a shape)."""
    assert dot.shape is not None
    sizes = slices(dot.k)
    if not sizes:
        return Choice(0, (), f"no power of two from {SMALLEST_SLICE} on divides K and is smaller")
    room = device.ptss_cap // 4
    looked: list[Slice] = []
    for size in sizes:
        guess = staged_estimate(dot.shape, size, form, device.register_file)
        fit = judge(guess, device).fit
        looked.append(Slice(size, guess, fit, _refusal(guess, fit, room)))
    good = [s for s in looked if not s.refused]
    fitting = [s for s in looked if s.fit is Fit.FITS]
    if not good and not fitting:
        return Choice(0, tuple(looked), f"even slices of {sizes[0]} need {looked[0].estimate.high} B")
    chosen = good[-1] if good else fitting[0]
    return Choice(chosen.k_tile, tuple(looked), _why_not_larger(chosen, looked, dot.k))


def _refusal(guess: Estimate, fit: Fit, room: int) -> str:
    if fit is not Fit.FITS:
        return f"{guess.high} B of scratch: {fit}"
    return f"up to {guess.high} B of scratch, more than a quarter of the cap, {room} B" if guess.high > room else ""


def _why_not_larger(chosen: Slice, looked: Sequence[Slice], k: int) -> str:
    larger = [s for s in looked if s.k_tile > chosen.k_tile]
    if not larger:
        return f"{2 * chosen.k_tile} is not smaller than K = {k}, or does not divide it"
    return f"{larger[0].k_tile} needs {larger[0].refused}" if larger[0].refused else f"{larger[0].k_tile} would do too"


def upstream_gates(dot: Dot) -> GateSet:
    """The five that shipped. Integer divisions as there."""
    blocked = isinstance(dot.layout, Blocked) and dot.shape is not None
    gates = [Gate("blocked result", blocked, f"computed by: {dot.unit}")]
    if not blocked or dot.shape is None:
        return GateSet("upstream", tuple(gates), 0)
    assert isinstance(dot.layout, Blocked)
    m, n = _whole_reps(dot.layout, 0, dot.m), _whole_reps(dot.layout, 1, dot.n)
    operand, accumulator = dot.shape.operand, dot.shape.accumulator
    lane = m * dot.k * operand + dot.k * n * operand + m * n * accumulator
    sizes = f"{m}*{dot.k}*{operand} + {dot.k}*{n}*{operand} + {m}*{n}*{accumulator}"
    numbers = f"{sizes} = {lane} > {_UPSTREAM_LANE_BYTES} B a lane"
    gates.append(Gate("bytes of a lane", lane > _UPSTREAM_LANE_BYTES, numbers))
    both = dot.a.is_staged and dot.b.is_staged
    ways = ", ".join(f"{name}: {'yes' if chain.is_staged else 'no'}" for name, chain in (("A", dot.a), ("B", dot.b)))
    gates.append(Gate("operands converted or staged", both, ways))
    gates.append(
        Gate("operands fit SLM", dot.stored_bytes <= _UPSTREAM_SLM, f"{_slm_sum(dot, 0)} of {_UPSTREAM_SLM} B")
    )
    k_tile, reason = _upstream_slice(m * operand, dot.k)
    gates.append(Gate("slice", k_tile > 0, reason))
    return GateSet("upstream", tuple(gates), k_tile)


def _whole_reps(layout: Blocked, dim: int, extent: int) -> int:
    size = layout.size_per_thread[dim]
    return extent // (size * layout.threads_per_warp[dim] * layout.warps_per_cta[dim]) * size


def _upstream_slice(per_k: int, k: int) -> tuple[int, str]:
    """per_k: bytes of A that a lane needs for one k."""
    wanted = 32 if per_k == 0 else (_UPSTREAM_SLICE_BYTES // per_k or SMALLEST_SLICE)
    slice_ = 1 << ((wanted | 1).bit_length() - 1)
    while slice_ > SMALLEST_SLICE and (slice_ >= k or k % slice_):
        slice_ //= 2
    text = f"{_UPSTREAM_SLICE_BYTES} B / {per_k} B a k = {wanted}, K_TILE = {slice_}, K = {k}"
    if slice_ < SMALLEST_SLICE or slice_ >= k or k % slice_:
        return 0, text + ": declined"
    return slice_, text
