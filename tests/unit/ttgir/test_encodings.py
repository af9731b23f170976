"""Layouts as Triton 3.0 to 3.9 spell them."""

from __future__ import annotations

import pytest
from regtriage.dataflow.layout.encodings import (
    AmdMfma,
    AmdWmma,
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
from regtriage.dataflow.ttgir.parser import read_type
from regtriage.dataflow.ttgir.types import Tensor

ROW = Blocked((1, 4), (2, 16), (4, 1), (1, 0))
BLOCKED = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]%s}>"


def encoding(text: str) -> Encoding | None:
    type_ = read_type(f"tensor<64x64xf16, {text}>", "t")
    assert isinstance(type_, Tensor)
    return type_.encoding


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BLOCKED % "", ROW),
        (BLOCKED.replace("#ttg", "#triton_gpu") % "", ROW),
        (f"#ttg.slice<{{dim = 1, parent = {BLOCKED % ''}}}>", Slice(1, ROW)),
        (f"#ttg.dot_op<{{opIdx = 1, parent = {BLOCKED % ''}}}>", DotOperand(1, ROW)),
        (f"#ttg.dot_op<{{opIdx = 0, parent = {BLOCKED % ''}, kWidth = 8}}>", DotOperand(0, ROW, 8)),
        (
            "#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [], block = []}>",
            Linear(((0, 1),), ((1, 0), (2, 0)), ()),
        ),
        (
            "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>",
            NvidiaMma(2, 0, (1, 4), (16, 8)),
        ),
        (
            "#ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [32, 32, 16], isTransposed = true}>",
            AmdMfma(4, (2, 2), (32, 32, 16), is_transposed=True),
        ),
        (
            "#ttg.amd_mfma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 16], isTransposed = false, tilesPerWarp = [1, 2], elementType = f64}>",
            AmdMfma(3, (2, 2), (16, 16), is_transposed=False, tiles_per_warp=(1, 2), element_bit_width=64),
        ),
        (
            "#ttg.amd_wmma<{version = 3, isTranspose = true, ctaLayout = {register = [[1, 0]], warp = [[0, 1], [2, 0]]}, instrShape = [16, 16, 32]}>",
            AmdWmma(3, is_transposed=True, register=((1, 0),), warp=((0, 1), (2, 0)), instr_shape=(16, 16, 32)),
        ),
        (
            "#ttg.amd_wmma<{version = 2, isTranspose = false, warpsPerCTA = [2, 2]}>",
            AmdWmma(2, is_transposed=False, register=(), warp=((0, 1), (1, 0))),
        ),
        (
            "#triton_intel_gpu.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [1, 2], A = [8, 16], B = [16, 32], C = [8, 32]}>",
            Dpas(8, 8, 16, 2, 16, (4, 1), (1, 2)),
        ),
        ("#ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>", SwizzledShared(8, 2, 4, (1, 0))),
        ("#triton_gpu.shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0], hasLeadingOffset = false}>", SwizzledShared(8, 2, 4, (1, 0))),
        ("#ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [0, 1]}>", RotatingShared(4, 1, 16, (0, 1))),
        ("#ttg.padded_shared<[64:+8, 512:+16] {order = [1, 0], shape = [64, 64]}>", PaddedShared(((64, 8), (512, 16)), (1, 0), None)),
        ("#ttg.padded_shared<[64:+4] {offset = [[0, 1], [1, 0]], block = []}>", PaddedShared(((64, 4),), None, ((0, 1), (1, 0)))),
        ("#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8, fp4Padded = true}>", NvMmaShared(64, transposed=True, element_bit_width=8, fp4_padded=True)),
        ("#ttg.shared_linear<{offset = [[0, 1], [1, 0]], block = []}, alignment = 32>", SharedLinear(((0, 1), (1, 0)), (), 32)),
        ("#ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>", UnknownEncoding("#ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>")),
    ],
)  # fmt: skip
def test_spellings(text: str, expected: Encoding):
    assert encoding(text) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("CTAsPerCGA = [2, 1], CTASplitNum = [2, 1], CTAOrder = [1, 0]", "CGALayout = [[1, 0]]"),
        ("CTAsPerCGA = [2, 4], CTASplitNum = [1, 2], CTAOrder = [1, 0]", "CGALayout = [[0, 1], [0, 0], [0, 0]]"),
        ("CTAsPerCGA = [4, 2], CTASplitNum = [4, 2], CTAOrder = [0, 1]", "CGALayout = [[1, 0], [2, 0], [0, 1]]"),
    ],
)
def test_clusters_in_both_spellings(old: str, new: str):
    assert encoding(BLOCKED % f", {old}") == encoding(BLOCKED % f", {new}")
