"""Layouts as text, the way Triton 3.9 prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..layout.encodings import (
    AmdMfma,
    AmdWmma,
    Bases,
    Blocked,
    DotOperand,
    Dpas,
    Encoding,
    Linear,
    NvidiaMma,
    NvMmaShared,
    PaddedShared,
    RotatingShared,
    SharedLinear,
    Slice,
    SwizzledShared,
    UnknownEncoding,
)


def spell_encoding(encoding: Encoding) -> str:
    """The attribute, without aliases: `#ttg.blocked<{sizePerThread = [1, 4], …}>`."""
    match encoding:
        case Blocked():
            fields = {
                "sizePerThread": encoding.size_per_thread,
                "threadsPerWarp": encoding.threads_per_warp,
                "warpsPerCTA": encoding.warps_per_cta,
                "order": encoding.order,
            }
            return _attribute("blocked", fields, encoding.cga)
        case Slice():
            return f"#ttg.slice<{{dim = {encoding.dim}, parent = {spell_encoding(encoding.parent)}}}>"
        case DotOperand():
            width = f", kWidth = {encoding.k_width}" if encoding.k_width else ""
            return f"#ttg.dot_op<{{opIdx = {encoding.op_idx}, parent = {spell_encoding(encoding.parent)}{width}}}>"
        case Linear():
            return _attribute(
                "linear",
                {"register": encoding.register, "lane": encoding.lane, "warp": encoding.warp, "block": encoding.block},
            )
        case NvidiaMma():
            fields = {
                "versionMajor": encoding.version_major,
                "versionMinor": encoding.version_minor,
                "warpsPerCTA": encoding.warps_per_cta,
            }
            return _attribute("nvidia_mma", fields, encoding.cga, {"instrShape": encoding.instr_shape})
        case AmdMfma():
            return _amd_mfma(encoding)
        case AmdWmma():
            return _amd_wmma(encoding)
        case Dpas():
            fields = {
                "repeatCount": encoding.repeat_count,
                "systolicDepth": encoding.systolic_depth,
                "executionSize": encoding.execution_size,
                "opsPerChan": encoding.ops_per_channel,
                "threadsPerWarp": encoding.threads_per_warp,
                "warpsPerCTA": encoding.warps_per_cta,
                "repCluster": encoding.rep_cluster,
            }
            return _attribute("dpas", fields, dialect="ttig")
        case SwizzledShared() | RotatingShared():
            fields = {
                "vec": encoding.vec,
                "perPhase": encoding.per_phase,
                "maxPhase": encoding.max_phase,
                "order": encoding.order,
            }
            name = "swizzled_shared" if isinstance(encoding, SwizzledShared) else "amd_rotating_shared"
            return _attribute(name, fields, encoding.cga)
        case PaddedShared():
            return _padded(encoding)
        case NvMmaShared():
            fields = {
                "swizzlingByteWidth": encoding.swizzling_byte_width,
                "transposed": encoding.transposed,
                "elementBitWidth": encoding.element_bit_width,
            }
            return _attribute(
                "nvmma_shared", {**fields, "fp4Padded": True} if encoding.fp4_padded else fields, encoding.cga
            )
        case SharedLinear():
            body = f"{{offset = {_value(encoding.offset)}, block = {_value(encoding.block)}}}"
            return f"#ttg.shared_linear<{body}, alignment = {encoding.alignment}>"
        case UnknownEncoding():
            return encoding.text


_Field = int | bool | Sequence[int] | Bases


def _attribute(
    name: str,
    fields: Mapping[str, _Field],
    cga: Bases = (),
    after: Mapping[str, _Field] | None = None,
    dialect: str = "ttg",
) -> str:
    shown = [f"{key} = {_value(value)}" for key, value in fields.items()]
    shown += [f"CGALayout = {_value(cga)}"] if cga else []
    shown += [f"{key} = {_value(value)}" for key, value in (after or {}).items()]
    return f"#{dialect}.{name}<{{{', '.join(shown)}}}>"


def _value(value: _Field) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return f"[{', '.join(_value(item) for item in value)}]"


def _amd_mfma(encoding: AmdMfma) -> str:
    fields: dict[str, _Field] = {"version": encoding.version, "warpsPerCTA": encoding.warps_per_cta}
    after: dict[str, _Field] = {"instrShape": encoding.instr_shape, "isTransposed": encoding.is_transposed}
    if any(count != 1 for count in encoding.tiles_per_warp):
        after["tilesPerWarp"] = encoding.tiles_per_warp
    if encoding.element_bit_width != 32:
        after["elementBitWidth"] = encoding.element_bit_width
    return _attribute("amd_mfma", fields, encoding.cga, after)


def _amd_wmma(encoding: AmdWmma) -> str:
    register = f"register = {_value(encoding.register)}, " if encoding.register else ""
    shown = [
        f"version = {encoding.version}",
        f"isTranspose = {_value(encoding.is_transposed)}",
        f"ctaLayout = {{{register}warp = {_value(encoding.warp)}}}",
    ]
    shown += [f"CGALayout = {_value(encoding.cga)}"] if encoding.cga else []
    shown += [f"instrShape = {_value(encoding.instr_shape)}"] if encoding.instr_shape != (16, 16, 16) else []
    return f"#ttg.amd_wmma<{{{', '.join(shown)}}}>"


def _padded(encoding: PaddedShared) -> str:
    intervals = ", ".join(f"{interval}:+{padding}" for interval, padding in encoding.intervals)
    if encoding.offset is not None:
        body = f"offset = {_value(encoding.offset)}, block = {_value(encoding.cga)}"
    else:
        body = f"order = {_value(encoding.order or ())}"
    return f"#ttg.padded_shared<[{intervals}] {{{body}}}>"
