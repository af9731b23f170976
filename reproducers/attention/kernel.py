"""Fused attention, forward, as large models train with it: the kernel behind the `.llir` files of this folder.

One program computes BLOCK_M rows of queries of one head of one sequence. It walks over the keys in tiles of
BLOCK_N, keeps a running softmax, drops weights by Philox random numbers, and writes the kept-or-dropped mask
and the weights for the backward pass. That takes seven buffers with row strides of their own, two loops (whole
tiles, then those that touch the causal diagonal or the end) and so more scalar registers than there are: the
buffer descriptors of the loops are spilled, which is what these reproducers are about.

Sequences lie end to end in one buffer and `*_starts` says where each begins (VARLEN); several query heads
may share one head of keys (Q_HEADS, K_HEADS); a positional part of ROPE elements may follow the HEAD elements of
queries and keys, not of values; WIDE computes offsets in 64 bits.
"""
# Triton's convention: what is known when the kernel is compiled is written in capitals.
# ruff: noqa: N806

import triton
import triton.language as tl


@triton.jit
def spread_heads(head, HEADS: tl.constexpr, DIES: tl.constexpr):
    """Programs are dealt to dies in turn: give each die neighbouring heads, which share keys in its cache."""
    EACH: tl.constexpr = HEADS // DIES
    LEFT_OVER: tl.constexpr = HEADS % DIES
    die = head % DIES
    return die * EACH + tl.minimum(die, LEFT_OVER) + head // DIES


@triton.jit
def fold_tiles(
    acc, total, peak,
    q, q_rope, k_tile, k_rope_tile, v_tile, weight_tile, mask_tile, counters,
    k_step, v_step, weight_step,
    first, last, rows, q_len, k_len, diagonal, scale, drop_rate, seed,
    BLOCK_N: tl.constexpr, ROPE: tl.constexpr, CAUSAL: tl.constexpr, DROPOUT: tl.constexpr,
    RETURN_WEIGHTS: tl.constexpr, EARLY_V: tl.constexpr, EDGE: tl.constexpr,
):  # fmt: skip
    """Fold the keys from first to last into the running softmax: peak, total and acc, one row a query.

    EDGE: these tiles touch the causal diagonal or the end of the keys; others need no masks.
    """
    for start in tl.range(first, last, BLOCK_N, num_stages=1):
        cols = start + tl.arange(0, BLOCK_N)
        inside = cols < k_len
        k = tl.load(k_tile, mask=inside[None, :], other=0.0) if EDGE else tl.load(k_tile)
        if ROPE > 0:
            k_rope = tl.load(k_rope_tile, mask=inside[None, :], other=0.0) if EDGE else tl.load(k_rope_tile)
        if EARLY_V:
            v = tl.load(v_tile, mask=inside[:, None], other=0.0) if EDGE else tl.load(v_tile)
        logits = tl.dot(q, k)
        if ROPE > 0:
            logits = tl.dot(q_rope, k_rope, logits)
        logits *= scale
        if EDGE:
            # Only the last tile can be ragged.
            keep = inside[None, :] | (start + BLOCK_N <= k_len)
            if CAUSAL:
                keep = keep & (rows[:, None] + diagonal >= cols[None, :])
            logits = tl.where(keep, logits, float("-inf"))

        new_peak = tl.maximum(peak, tl.max(logits, 1))
        weights = tl.exp2(logits - new_peak[:, None])
        shrink = tl.exp2(peak - new_peak)
        total = total * shrink + tl.sum(weights, 1)
        peak = new_peak

        written = rows[:, None] < q_len
        if EDGE:
            written = written & inside[None, :]
        if DROPOUT:
            kept = tl.rand(seed, counters) > drop_rate
            tl.store(mask_tile, kept, mask=written)
            if RETURN_WEIGHTS:
                # The sign says which were dropped.
                tl.store(weight_tile, tl.where(kept, weights, -weights), mask=written)
            weights = tl.where(kept, weights, 0.0)
        elif RETURN_WEIGHTS:
            tl.store(weight_tile, weights, mask=written)

        if not EARLY_V:
            v = tl.load(v_tile, mask=inside[:, None], other=0.0) if EDGE else tl.load(v_tile)
        acc = tl.dot(weights.to(v.dtype), v, acc * shrink[:, None])

        k_tile += BLOCK_N * k_step
        if ROPE > 0:
            k_rope_tile += BLOCK_N * k_step
        v_tile += BLOCK_N * v_step
        if RETURN_WEIGHTS:
            weight_tile += BLOCK_N * weight_step
        if DROPOUT:
            mask_tile += BLOCK_N * weight_step
            counters += BLOCK_N * weight_step
    return acc, total, peak


@triton.jit
def attention_forward(
    q_base, k_base, v_base, out_base, weight_base, mask_base, lse_base, q_starts, k_starts,
    q_batch_stride, q_head_stride, q_row_stride,
    k_batch_stride, k_head_stride, k_row_stride,
    v_batch_stride, v_head_stride, v_row_stride,
    out_batch_stride, out_head_stride, out_row_stride,
    weight_batch_stride, weight_head_stride, weight_row_stride, weight_col_stride,
    lse_batch_stride, lse_head_stride, lse_row_stride,
    softmax_scale, drop_rate, seed, first_counter, batches, longest_q, longest_k,
    Q_HEADS: tl.constexpr, K_HEADS: tl.constexpr, HEAD: tl.constexpr, ROPE: tl.constexpr,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
    CAUSAL: tl.constexpr, DROPOUT: tl.constexpr, RETURN_WEIGHTS: tl.constexpr, VARLEN: tl.constexpr,
    WIDE: tl.constexpr, DIES: tl.constexpr, EARLY_V: tl.constexpr,
):  # fmt: skip
    """Attend with BLOCK_M queries of a head to its keys. Grid: batches * Q_HEADS * tiles of the longest sequence.

    The diagonal ends in the lower right corner: the last query sees the last key.
    """
    if WIDE:
        q_batch_stride = q_batch_stride.to(tl.int64)
        q_head_stride = q_head_stride.to(tl.int64)
        q_row_stride = q_row_stride.to(tl.int64)
        k_batch_stride = k_batch_stride.to(tl.int64)
        k_head_stride = k_head_stride.to(tl.int64)
        k_row_stride = k_row_stride.to(tl.int64)
        v_batch_stride = v_batch_stride.to(tl.int64)
        v_head_stride = v_head_stride.to(tl.int64)
        v_row_stride = v_row_stride.to(tl.int64)
        out_batch_stride = out_batch_stride.to(tl.int64)
        out_head_stride = out_head_stride.to(tl.int64)
        out_row_stride = out_row_stride.to(tl.int64)
        weight_batch_stride = weight_batch_stride.to(tl.int64)
        weight_head_stride = weight_head_stride.to(tl.int64)
        weight_row_stride = weight_row_stride.to(tl.int64)
        # Often 1, and then a constant, which has no method `to`.
        weight_col_stride = tl.cast(weight_col_stride, tl.int64)
        lse_batch_stride = lse_batch_stride.to(tl.int64)
        lse_head_stride = lse_head_stride.to(tl.int64)
        lse_row_stride = lse_row_stride.to(tl.int64)

    tiles = tl.cdiv(longest_q, BLOCK_M)
    program = tl.program_id(0)
    q_head = spread_heads(program % Q_HEADS, Q_HEADS, DIES)
    tile = (program // Q_HEADS) % tiles
    batch = (program // (Q_HEADS * tiles)) % batches
    k_head = q_head // (Q_HEADS // K_HEADS)

    if VARLEN:
        q_first = tl.load(q_starts + batch)
        q_len = tl.load(q_starts + batch + 1) - q_first
        if tile * BLOCK_M > q_len:
            return
        k_first = tl.load(k_starts + batch)
        k_len = tl.load(k_starts + batch + 1) - k_first
    else:
        q_first = 0
        k_first = 0
        q_len = longest_q
        k_len = longest_k

    rows = tile * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    dims = tl.arange(0, HEAD)
    diagonal = k_len - q_len
    out_tile = out_base + (
        batch * out_batch_stride + q_head * out_head_stride + q_first * out_row_stride
        + rows[:, None] * out_row_stride + dims[None, :]
    )  # fmt: skip
    lse_tile = lse_base + (
        batch * lse_batch_stride + q_head * lse_head_stride + q_first * lse_row_stride + rows * lse_row_stride
    )

    k_tiles = tl.cdiv(k_len, BLOCK_N)
    if CAUSAL:
        k_tiles = tl.minimum(k_tiles, tl.cdiv((tile + 1) * BLOCK_M + diagonal, BLOCK_N))
        if k_tiles <= 0:  # these queries see no key
            tl.store(out_tile, tl.zeros([BLOCK_M, HEAD], out_base.dtype.element_ty), mask=rows[:, None] < q_len)
            tl.store(lse_tile, tl.zeros([BLOCK_M], tl.float32), mask=rows < q_len)
            return

    q_tile = q_base + (
        batch * q_batch_stride + q_head * q_head_stride + q_first * q_row_stride
        + rows[:, None] * q_row_stride + dims[None, :]
    )  # fmt: skip
    k_tile = k_base + (
        batch * k_batch_stride + k_head * k_head_stride + k_first * k_row_stride
        + cols[None, :] * k_row_stride + dims[:, None]
    )  # fmt: skip
    v_tile = v_base + (
        batch * v_batch_stride + k_head * v_head_stride + k_first * v_row_stride
        + cols[:, None] * v_row_stride + dims[None, :]
    )  # fmt: skip
    grid = (
        batch * weight_batch_stride + q_head * weight_head_stride
        + rows[:, None] * weight_row_stride + cols[None, :] * weight_col_stride
    )  # fmt: skip
    weight_tile = weight_base + grid
    mask_tile = mask_base + grid
    counters = first_counter + grid

    q = tl.load(q_tile, mask=rows[:, None] < q_len, other=0.0)
    if ROPE > 0:
        rope_dims = HEAD + tl.arange(0, ROPE)
        q_rope_tile = q_base + (
            batch * q_batch_stride + q_head * q_head_stride + q_first * q_row_stride
            + rows[:, None] * q_row_stride + rope_dims[None, :]
        )  # fmt: skip
        k_rope_tile = k_base + (
            batch * k_batch_stride + k_head * k_head_stride + k_first * k_row_stride
            + cols[None, :] * k_row_stride + rope_dims[:, None]
        )  # fmt: skip
        q_rope = tl.load(q_rope_tile, mask=rows[:, None] < q_len, other=0.0)
    else:
        k_rope_tile = None
        q_rope = None

    acc = tl.zeros([BLOCK_M, HEAD], tl.float32)
    total = tl.full([BLOCK_M], 1.0, tl.float32)
    peak = tl.full([BLOCK_M], float("-inf"), tl.float32)
    scale = softmax_scale * 1.4426950408889634  # log2(e): the exponentials below are to base two

    edge_tiles = (k_len % BLOCK_N != 0).to(tl.int32)
    if CAUSAL:
        edge_tiles = BLOCK_M // BLOCK_N + (k_len % BLOCK_N != 0 or q_len % BLOCK_M != 0).to(tl.int32)
    edge_tiles = tl.minimum(edge_tiles, k_tiles)
    whole_tiles = k_tiles - edge_tiles
    if whole_tiles > 0:
        acc, total, peak = fold_tiles(
            acc, total, peak,
            q, q_rope, k_tile, k_rope_tile, v_tile, weight_tile, mask_tile, counters,
            k_row_stride, v_row_stride, weight_col_stride,
            0, whole_tiles * BLOCK_N, rows, q_len, k_len, diagonal, scale, drop_rate, seed,
            BLOCK_N, ROPE, CAUSAL, DROPOUT, RETURN_WEIGHTS, EARLY_V, EDGE=False,
        )  # fmt: skip
    if edge_tiles > 0:
        done = whole_tiles * BLOCK_N
        k_tile += done * k_row_stride
        if ROPE > 0:
            k_rope_tile += done * k_row_stride
        v_tile += done * v_row_stride
        weight_tile += done * weight_col_stride
        mask_tile += done * weight_col_stride
        counters += done * weight_col_stride
        acc, total, peak = fold_tiles(
            acc, total, peak,
            q, q_rope, k_tile, k_rope_tile, v_tile, weight_tile, mask_tile, counters,
            k_row_stride, v_row_stride, weight_col_stride,
            done, k_tiles * BLOCK_N, rows, q_len, k_len, diagonal, scale, drop_rate, seed,
            BLOCK_N, ROPE, CAUSAL, DROPOUT, RETURN_WEIGHTS, EARLY_V, EDGE=True,
        )  # fmt: skip

    acc = acc / total[:, None]
    if DROPOUT:
        acc = acc / (1.0 - drop_rate)
    lse = (peak + tl.log2(total)) * 0.6931471805599453  # ln(2): the log of the sum of exponentials to base e
    if CAUSAL:
        blind = rows + diagonal < 0
        acc = tl.where(blind[:, None], 0.0, acc)
        lse = tl.where(blind, 0.0, lse)
    tl.store(lse_tile, lse, mask=rows < q_len)
    tl.store(out_tile, acc.to(out_base.dtype.element_ty), mask=rows[:, None] < q_len)
