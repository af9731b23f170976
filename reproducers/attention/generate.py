"""Compile the attention kernel to LLVM IR, in the configurations of this folder or in your own.

Needs Triton 3.8.0 or 3.9.0; no GPU, no torch. What is written depends on nothing but the configuration and
Triton's version: paths of this machine do not appear in it.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
WARPS = 8
WAVES_PER_EU = 2

DEFAULTS: dict[str, int | bool] = {
    "Q_HEADS": 16,
    "K_HEADS": 16,
    "HEAD": 64,
    "ROPE": 0,
    "BLOCK_M": 256,
    "BLOCK_N": 64,
    "CAUSAL": True,
    "DROPOUT": True,
    "RETURN_WEIGHTS": True,
    "VARLEN": True,
    "WIDE": True,
    "DIES": 8,
    "EARLY_V": True,
    "weight_col_stride": 1,
}
"""The kernel's constants. A stride of 1 is a constant too: Triton makes it one."""

POINTERS = {
    "q_base": "*bf16",
    "k_base": "*bf16",
    "v_base": "*bf16",
    "out_base": "*bf16",
    "weight_base": "*fp32",
    "mask_base": "*u8",
    "lse_base": "*fp32",
    "q_starts": "*i32",
    "k_starts": "*i32",
}
SCALARS = {"softmax_scale": "fp32", "drop_rate": "fp32", "seed": "i64", "first_counter": "i64"}
"""Types of the arguments that are neither pointers nor constants; those not named are i32."""

ALIGNED: list[list[str | int]] = [["tt.divisibility", 16]]
BUFFER: list[list[str | int]] = [*ALIGNED, ["tt.pointer_range", 32]]
"""Triton reaches a pointer through a buffer descriptor (four scalar registers) only if it may assume that 32
bits of offset are enough."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A named set of constants. constants: those that differ from DEFAULTS."""

    name: str
    what: str
    constants: dict[str, int | bool] = field(default_factory=dict)


CONFIGURATIONS = (
    Configuration("plain", "as many heads of keys as of queries"),
    Configuration("grouped", "eight heads of queries share one head of keys", {"Q_HEADS": 8, "K_HEADS": 1}),
    Configuration("rope", "a positional part of 32 elements beside the head's 64", {"ROPE": 32}),
)


def main() -> int:
    """Parse the command line, write the files, name each. Returns the exit code."""
    arguments = _parser().parse_args()
    os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # 3.9.0 warns where it is not set
    try:
        import triton
    except ImportError:
        print(f"{sys.executable}: error: no Triton here: pip install triton==3.9.0", file=sys.stderr)
        return 3
    overrides = dict(arguments.set)
    for configuration in arguments.configurations or CONFIGURATIONS:
        constants = {**DEFAULTS, **configuration.constants, **overrides}
        text = compile_to_llir(constants, arguments.arch)
        path = arguments.out / f"{configuration.name}-triton-{triton.__version__}.llir"
        listing = " ".join(f"{name}={value}" for name, value in constants.items())
        header = f"; {configuration.what}\n; triton {triton.__version__}, {arguments.arch}: {listing}\n"
        path.write_text(header + text)
        print(path)
    return 0


def compile_to_llir(constants: dict[str, int | bool], arch: str) -> str:
    """The kernel as LLVM IR before code generation, with line tables.

    constants: all of DEFAULTS. Triton's own errors pass through.
    """
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        sys.path.insert(0, str(HERE))
        import triton
        from kernel import attention_forward
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource

        compiled = triton.compile(
            _source(ASTSource, attention_forward, constants),
            target=GPUTarget("hip", arch, 64),
            options={"num_warps": WARPS, "waves_per_eu": WAVES_PER_EU, "num_stages": 1},
        )
    return _without_paths(compiled.asm["llir"], Path(triton.__file__).parent)


def _source(ast_source: Callable[..., Any], kernel: Any, constants: dict[str, int | bool]) -> Any:
    signature: dict[str, str] = {}
    values: dict[tuple[int], int | bool] = {}
    attributes: dict[tuple[int], list[list[str | int]]] = {}
    for position, name in enumerate(kernel.arg_names):
        if name in constants:
            signature[name] = "constexpr"
            values[(position,)] = constants[name]
        elif name in POINTERS:
            signature[name] = POINTERS[name]
            attributes[(position,)] = BUFFER
        else:
            signature[name] = SCALARS.get(name, "i32")
            if name.endswith("_stride") or name.startswith("longest_"):
                attributes[(position,)] = ALIGNED
    return ast_source(fn=kernel, signature=signature, constexprs=values, attrs=attributes)


def _without_paths(llir: str, triton_package: Path) -> str:
    """Debug information names directories of this machine: make them relative."""
    llir = llir.replace(f'directory: "{HERE}"', 'directory: "reproducers/attention"')
    return re.sub(rf'directory: "{re.escape(str(triton_package))}', 'directory: "triton', llir)


def _parser() -> argparse.ArgumentParser:
    listing = "\n".join(f"  {c.name:9}{c.what}" for c in CONFIGURATIONS)
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None,
        epilog=f"configurations:\n{listing}\n\nconstants and their defaults:\n"
        + "\n".join(f"  {name}={value}" for name, value in DEFAULTS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "configurations", nargs="*", type=_configuration, metavar="NAME", help="a configuration; all if none is given"
    )
    parser.add_argument("--out", type=_directory, default=Path(), metavar="DIR", help="where to write, default .")
    parser.add_argument("--arch", default="gfx950", help="default gfx950")
    parser.add_argument(
        "--set",
        type=_constant,
        action="append",
        default=[],
        metavar="CONSTANT=VALUE",
        help="change a constant; repeatable",
    )
    return parser


def _configuration(name: str) -> Configuration:
    for configuration in CONFIGURATIONS:
        if configuration.name == name:
            return configuration
    raise argparse.ArgumentTypeError(f"{name}: no such configuration")


def _directory(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text}: no such directory")
    return path


def _constant(text: str) -> tuple[str, int | bool]:
    name, _, value = text.partition("=")
    if name not in DEFAULTS:
        raise argparse.ArgumentTypeError(f"{name}: no such constant")
    if isinstance(DEFAULTS[name], bool):
        if value not in ("True", "False"):
            raise argparse.ArgumentTypeError(f"{text}: True or False")
        return name, value == "True"
    try:
        return name, int(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: an integer") from None


if __name__ == "__main__":
    sys.exit(main())
