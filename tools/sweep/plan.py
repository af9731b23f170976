"""Which units a sweep has: every kernel with every compiler under every setting, kernels outermost."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from regtriage.tools.llc.run import InputError, Llc, Variant
from regtriage.tools.matrix.axes import Axis, cells, setting

from .model import NO_COMPILER, Compiler, Configuration, Kernel, Method, Options, Unit

_DEFAULT_OPT = 3


@dataclass(frozen=True, slots=True)
class Settings:
    """What is varied, and what holds for every unit. Values on an axis go before those here."""

    axes: tuple[Axis, ...] = ()
    variants: tuple[Variant, ...] = ()
    triple: str | None = None
    cpu: str | None = None
    opt: int = _DEFAULT_OPT
    llc_args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """units: in the order in which they are run. left_out: what could not be asked of a compiler, in words."""

    units: tuple[Unit, ...]
    left_out: tuple[str, ...]


def all_options(settings: Settings) -> tuple[Options, ...]:
    """What a kernel is compiled with, one after the other. Raises InputError for axes that make no sense."""
    axes = list(settings.axes)
    if settings.variants:
        axes.append(Axis("variant", tuple(settings.variants)))
    choices = list(cells(axes)) if axes else [()]
    found: dict[Options, None] = {}
    for values in choices:
        chosen = setting(axes, values)
        options = Options(
            variant=chosen.variant or Variant.OFF,
            attributes=tuple(sorted(chosen.attributes.items())),
            llc_args=(*settings.llc_args, *chosen.llc_args),
            triple=settings.triple,
            cpu=chosen.cpu or settings.cpu,
            opt=settings.opt if chosen.opt is None else chosen.opt,
        )
        found[options] = None
    return tuple(found)


def flags_of(options: Options) -> str:
    """The settings besides the variant, in words that are equal only where the settings are."""
    words = [f"{name}={value}" for name, value in options.attributes]
    words += [f"-mtriple={options.triple}"] if options.triple is not None else []
    words += [f"-mcpu={options.cpu}"] if options.cpu is not None else []
    words += [f"-O{options.opt}"] if options.opt != _DEFAULT_OPT else []
    return shlex.join([*words, *options.llc_args])


def make_plan(
    kernels: Sequence[Kernel], compilers: Sequence[tuple[Compiler, Llc]], settings: Settings, tool: str
) -> Plan:
    """The units. tool: the version of this program. Raises InputError if no unit is left."""
    left_out: dict[str, None] = {}
    proofs: list[tuple[Compiler, Options, Configuration]] = []
    for compiler, llc in compilers:
        for options in all_options(settings):
            if not llc.supports(options.variant):
                left_out[f"{compiler.spec}: no variant '{options.variant}': left out"] = None
                continue
            configuration = Configuration(
                tool, compiler.kind, compiler.version, compiler.build, str(options.variant), flags_of(options)
            )
            proofs.append((compiler, options, configuration))
    alone = Configuration(tool, "", "", "", "", "")
    units: list[Unit] = []
    for kernel in kernels:
        if kernel.method is Method.PROOF:
            units += [Unit(kernel, compiler, options, configuration) for compiler, options, configuration in proofs]
        else:
            units.append(Unit(kernel, NO_COMPILER, None, alone))
    if not units:
        raise InputError(f"regtriage sweep: error: nothing is left to do: {'; '.join(left_out)}")
    return Plan(tuple(units), tuple(left_out))
