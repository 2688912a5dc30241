"""FlashAttention-2 as Triton kernels: forward with log-sum-exp, backward by recomputation, and an autograd function.

Idea: a program owns one tile of the result and writes it once, so that programs need nothing from each other. They are
numbered tile after tile and head after head on one axis: the others of a grid end at 65535.

- Forward: one tile of queries. It walks over tiles of keys with a running maximum m, a running sum ℓ and the
  unnormalised output in fp32, and stores out = o / ℓ and lse = m + log ℓ.
- dQ: one tile of queries again, which also writes rowsum(dO ∘ O): all that the derivative of the softmax needs.
- dK, dV: one tile of keys of one key/value head. It walks over the tiles of queries of all query heads that the head
  serves; so grouped heads are summed without atomics. Both passes compute the weights again as P = exp(s − lse).

Causal: query i sees keys j ≤ i + Sk − Sq (bottom right); each loop starts or ends at the tile that the diagonal
crosses. A query without a key gives 0 and lse −inf. Ends: lengths need not be multiples of a tile, nor dims powers of
two; what is beyond is masked when it is loaded (0) and, for keys, again in the scores (−inf). Tiles that need no mask
have a loop of their own without one. exp2 is one instruction on a GPU: exponents carry a factor log2 e, and only the
stored lse is natural.

Shapes: q (B, H, Sq, D), k (B, Hkv, Sk, D), v (B, Hkv, Sk, Dv), Hkv divides H, in fp16, bf16 or fp32, any strides, to
out (B, H, Sq, Dv) and lse (B, H, Sq) in fp32. Cost: 2·Sq·Sk·(D + Dv) FLOPs a head forward, 2.5 times as many
backward, half of both if causal; memory O(S). Products of fp32 are made of three of TF32, which is nearly as exact.
Dao 2023, "FlashAttention-2", section 3.1 and algorithms 1 and 2.
"""

from __future__ import annotations

import math
import os
from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor
from torch.autograd.function import once_differentiable

LOG2_E: tl.constexpr = tl.constexpr(1.4426950408889634)
DTYPES = (torch.float16, torch.bfloat16, torch.float32)
LARGEST_DIM = 256


def _configs(*tiles: tuple[int, int, int, int]) -> list[triton.Config]:
    """Tile sizes, warps and pipeline stages to choose from on a GPU; the interpreter takes one that is small."""
    if os.environ.get("TRITON_INTERPRET") == "1":
        tiles = ((16, 16, 4, 1),)
    return [triton.Config({"BLOCK_Q": q, "BLOCK_K": k}, num_warps=w, num_stages=s) for q, k, w, s in tiles]


FORWARD = _configs(
    (128, 128, 8, 2), (128, 128, 8, 3), (128, 64, 4, 3), (128, 64, 8, 3), (128, 32, 4, 4),
    (64, 64, 4, 3), (64, 32, 4, 2), (32, 32, 4, 1),
)  # fmt: skip
BACKWARD = _configs(
    (128, 64, 8, 2), (64, 128, 8, 2), (64, 64, 4, 3), (64, 64, 8, 2), (32, 64, 4, 2), (64, 32, 8, 1), (32, 32, 4, 1)
)  # fmt: skip
KEY = ["Dq", "Dv", "CAUSAL"]
REGISTERS = 160
"""Of the 255 of a thread, so many may hold dK, dV and two tiles of scores: with more, some of them spill."""


def _fitting(configs: list[triton.Config], named: dict[str, Any], **sizes: Any) -> list[triton.Config]:
    """Small tiles for fp32, whose products take three steps, and for the dK and dV of wide heads, which are held."""

    def fits(config: triton.Config) -> bool:
        q, k = config.kwargs["BLOCK_Q"], config.kwargs["BLOCK_K"]
        held = k * (sizes["WIDTH"] + sizes["VALUE_WIDTH"] + 2 * q) / (32 * config.num_warps)
        return (named["Q"].element_size() < 4 or q * k <= 64 * 32) and ("DK" not in named or held <= REGISTERS)

    return [c for c in configs if fits(c)]


@triton.jit
def _load(base, rows, stride_s, columns, stride_d, n_rows, n_columns, CUT_ROWS: tl.constexpr, CUT: tl.constexpr):
    """A tile of a matrix, 0 beyond its ends; where a tile is not cut short, nothing is compared."""
    pointers = base + rows.to(tl.int64)[:, None] * stride_s + columns[None, :] * stride_d
    if CUT_ROWS and CUT:
        return tl.load(pointers, mask=(rows < n_rows)[:, None] & (columns < n_columns)[None, :], other=0.0)
    if CUT_ROWS:
        return tl.load(pointers, mask=(rows < n_rows)[:, None], other=0.0)
    if CUT:
        return tl.load(pointers, mask=(columns < n_columns)[None, :], other=0.0)
    return tl.load(pointers)


@triton.jit
def _store(base, value, rows, stride_s, columns, stride_d, n_rows, n_columns):
    """Write a tile of a matrix; nothing beyond its ends."""
    pointers = base + rows.to(tl.int64)[:, None] * stride_s + columns[None, :] * stride_d
    inside = (rows < n_rows)[:, None] & (columns < n_columns)[None, :]
    tl.store(pointers, value.to(base.dtype.element_ty), mask=inside)


@triton.jit
def _products(q, k, rows, columns, Sq, Sk, CAUSAL: tl.constexpr, MASKED: tl.constexpr):
    """q · k, which the exponent scales; −inf where a query must not look."""
    s = tl.dot(q, tl.trans(k), input_precision="tf32x3")
    if MASKED:
        visible = (columns < Sk)[None, :]
        if CAUSAL:
            visible = visible & (columns[None, :] <= rows[:, None] + (Sk - Sq))
        s = tl.where(visible, s, float("-inf"))
    return s


@triton.jit
def _seen_by_all(first, Sq, Sk, CAUSAL: tl.constexpr, BLOCK_K: tl.constexpr):
    """How many keys, in whole tiles, each query from ``first`` on sees: up to there nothing is masked."""
    seen = Sk
    if CAUSAL:
        seen = tl.maximum(0, tl.minimum(Sk, first + 1 + Sk - Sq))
    return seen // BLOCK_K * BLOCK_K


@triton.jit
def _seen_by_any(first, Sq, Sk, CAUSAL: tl.constexpr, BLOCK_Q: tl.constexpr):
    """How many keys the last query of a tile sees: beyond that no tile is visited."""
    seen = Sk
    if CAUSAL:
        seen = tl.minimum(Sk, first + BLOCK_Q + Sk - Sq)
    return seen


@triton.jit
def _visit_keys(
    peak, total, out, q, K, V, k_s, k_d, v_s, v_d, rows, d, dv, begin, stop, Sq, Sk, Dq, Dv, scale,
    CAUSAL: tl.constexpr, CUT: tl.constexpr, CUT_VALUE: tl.constexpr, BLOCK_K: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """The tiles of keys from ``begin`` to ``stop``, added to the running maximum, sum and output.

    The maximum is that of the exponents of 2: each is one fused multiplication and addition away from a product.
    """
    factor = scale * LOG2_E
    for start in range(begin, stop, BLOCK_K):
        columns = start + tl.arange(0, BLOCK_K)
        k = _load(K, columns, k_s, d, k_d, Sk, Dq, MASKED, CUT)
        s = _products(q, k, rows, columns, Sq, Sk, CAUSAL, MASKED)
        higher = tl.maximum(peak, tl.max(s, 1) * factor)
        # A row that has seen no key yet is shifted by 0: −inf − (−inf) would be NaN.
        shift = tl.where(higher == float("-inf"), 0.0, higher) if MASKED else higher
        p = tl.math.exp2(s * factor - shift[:, None])
        rescale = tl.math.exp2(peak - shift)
        v = _load(V, columns, v_s, dv, v_d, Sk, Dv, MASKED, CUT_VALUE)
        total = total * rescale + tl.sum(p, 1)
        out = out * rescale[:, None] + tl.dot(p.to(v.dtype), v, input_precision="tf32x3")
        peak = higher
    return peak, total, out


@triton.autotune(FORWARD, KEY, prune_configs_by={"early_config_prune": _fitting})
@triton.jit
def _forward(
    Q, K, V, Out, Lse,
    q_b, q_h, q_s, q_d, k_b, k_h, k_s, k_d, v_b, v_h, v_s, v_d, o_b, o_h, o_s, o_d, H, GROUP, Sq, Sk, Dq, Dv, scale,
    CAUSAL: tl.constexpr, WIDTH: tl.constexpr, VALUE_WIDTH: tl.constexpr, CUT: tl.constexpr, CUT_VALUE: tl.constexpr,
    BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """One tile of queries of one head."""
    tiles = tl.cdiv(Sq, BLOCK_Q)
    first = tl.program_id(0) % tiles * BLOCK_Q
    head = (tl.program_id(0) // tiles).to(tl.int64)
    b, h = head // H, head % H
    K += b * k_b + h // GROUP * k_h
    V += b * v_b + h // GROUP * v_h
    rows = first + tl.arange(0, BLOCK_Q)
    d, dv = tl.arange(0, WIDTH), tl.arange(0, VALUE_WIDTH)
    q = _load(Q + b * q_b + h * q_h, rows, q_s, d, q_d, Sq, Dq, True, CUT)
    peak = tl.full([BLOCK_Q], float("-inf"), tl.float32)
    total = tl.zeros([BLOCK_Q], tl.float32)
    out = tl.zeros([BLOCK_Q, VALUE_WIDTH], tl.float32)
    whole, stop = _seen_by_all(first, Sq, Sk, CAUSAL, BLOCK_K), _seen_by_any(first, Sq, Sk, CAUSAL, BLOCK_Q)
    peak, total, out = _visit_keys(
        peak, total, out, q, K, V, k_s, k_d, v_s, v_d, rows, d, dv, 0, whole, Sq, Sk, Dq, Dv, scale,
        CAUSAL, CUT, CUT_VALUE, BLOCK_K, False,
    )  # fmt: skip
    peak, total, out = _visit_keys(
        peak, total, out, q, K, V, k_s, k_d, v_s, v_d, rows, d, dv, whole, stop, Sq, Sk, Dq, Dv, scale,
        CAUSAL, CUT, CUT_VALUE, BLOCK_K, True,
    )  # fmt: skip
    seen = total > 0
    safe = tl.where(seen, total, 1.0)
    _store(Out + b * o_b + h * o_h, out / safe[:, None], rows, o_s, dv, o_d, Sq, Dv)
    lse = tl.where(seen, (peak + tl.math.log2(safe)) / LOG2_E, float("-inf"))
    tl.store(Lse + head * Sq + rows, lse, mask=rows < Sq)


@triton.jit
def _weights(
    q, k, v, d_out, lse, row_sum, rows, columns, Sq, Sk, scale, CAUSAL: tl.constexpr, MASKED: tl.constexpr
):  # fmt: skip
    """P, and the gradient with respect to the scaled scores, of one tile."""
    s = _products(q, k, rows, columns, Sq, Sk, CAUSAL, MASKED)
    p = tl.math.exp2(s * (scale * LOG2_E) - (lse * LOG2_E)[:, None])
    dp = tl.dot(d_out, tl.trans(v), input_precision="tf32x3")
    return p, p * (dp - row_sum[:, None])


@triton.jit
def _load_lse(Lse, rows, Sq):
    """lse of a tile of queries; +inf, which gives P = 0, where there is no query or it saw no key."""
    lse = tl.load(Lse + rows, mask=rows < Sq, other=float("inf"))
    return tl.where(lse == float("-inf"), float("inf"), lse)


@triton.jit
def _visit_queries(
    d_k, d_v, k, v, Q, DOut, Lse, RowSum, q_s, q_d, o_s, o_d, columns, d, dv, begin, stop, Sq, Sk, Dq, Dv, scale,
    CAUSAL: tl.constexpr, CUT: tl.constexpr, CUT_VALUE: tl.constexpr, BLOCK_Q: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """What the tiles of queries from ``begin`` to ``stop`` add to dV and, but for the scale, to dK."""
    for start in range(begin, stop, BLOCK_Q):
        rows = start + tl.arange(0, BLOCK_Q)
        q = _load(Q, rows, q_s, d, q_d, Sq, Dq, True, CUT)
        d_out = _load(DOut, rows, o_s, dv, o_d, Sq, Dv, True, CUT_VALUE)
        lse, row_sum = _load_lse(Lse, rows, Sq), tl.load(RowSum + rows, mask=rows < Sq, other=0.0)
        p, ds = _weights(q, k, v, d_out, lse, row_sum, rows, columns, Sq, Sk, scale, CAUSAL, MASKED)
        d_v += tl.dot(tl.trans(p.to(d_out.dtype)), d_out, input_precision="tf32x3")
        d_k += tl.dot(tl.trans(ds.to(q.dtype)), q, input_precision="tf32x3")
    return d_k, d_v


@triton.autotune(BACKWARD, KEY, prune_configs_by={"early_config_prune": _fitting})
@triton.jit
def _backward_keys(
    Q, K, V, DOut, Lse, RowSum, DK, DV,
    q_b, q_h, q_s, q_d, k_b, k_h, k_s, k_d, v_b, v_h, v_s, v_d, o_b, o_h, o_s, o_d, H, GROUP, Sq, Sk, Dq, Dv, scale,
    CAUSAL: tl.constexpr, WIDTH: tl.constexpr, VALUE_WIDTH: tl.constexpr, CUT: tl.constexpr, CUT_VALUE: tl.constexpr,
    BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """dK and dV, both contiguous, of one tile of keys of one key/value head.

    Keys beyond Sk are 0, and what they get is not stored: only the diagonal has to be masked.
    """
    tiles = tl.cdiv(Sk, BLOCK_K)
    begin = tl.program_id(0) % tiles * BLOCK_K
    kv = (tl.program_id(0) // tiles).to(tl.int64)
    b, kv_head = kv // (H // GROUP), kv % (H // GROUP)
    columns = begin + tl.arange(0, BLOCK_K)
    d, dv = tl.arange(0, WIDTH), tl.arange(0, VALUE_WIDTH)
    k = _load(K + b * k_b + kv_head * k_h, columns, k_s, d, k_d, Sk, Dq, True, CUT)
    v = _load(V + b * v_b + kv_head * v_h, columns, v_s, dv, v_d, Sk, Dv, True, CUT_VALUE)
    d_k = tl.zeros([BLOCK_K, WIDTH], tl.float32)
    d_v = tl.zeros([BLOCK_K, VALUE_WIDTH], tl.float32)
    for g in range(GROUP):
        h = kv_head * GROUP + g
        head = b * H + h
        q, d_out = Q + b * q_b + h * q_h, DOut + b * o_b + h * o_h
        first, seeing = 0, 0
        if CAUSAL:
            first = tl.maximum(0, begin - (Sk - Sq)) // BLOCK_Q * BLOCK_Q
            # From this tile on each query sees each of the keys.
            seeing = tl.maximum(first, tl.cdiv(tl.maximum(0, begin + BLOCK_K - 1 - (Sk - Sq)), BLOCK_Q) * BLOCK_Q)
            d_k, d_v = _visit_queries(
                d_k, d_v, k, v, q, d_out, Lse + head * Sq, RowSum + head * Sq, q_s, q_d, o_s, o_d, columns, d, dv,
                first, tl.minimum(Sq, seeing), Sq, Sk, Dq, Dv, scale, CAUSAL, CUT, CUT_VALUE, BLOCK_Q, True,
            )  # fmt: skip
        d_k, d_v = _visit_queries(
            d_k, d_v, k, v, q, d_out, Lse + head * Sq, RowSum + head * Sq, q_s, q_d, o_s, o_d, columns, d, dv,
            seeing, Sq, Sq, Sk, Dq, Dv, scale, CAUSAL, CUT, CUT_VALUE, BLOCK_Q, False,
        )  # fmt: skip
    _store(DK + kv * Sk * Dq, d_k * scale, columns, Dq, d, 1, Sk, Dq)
    _store(DV + kv * Sk * Dv, d_v, columns, Dv, dv, 1, Sk, Dv)


@triton.jit
def _visit_keys_again(
    d_q, q, d_out, lse, row_sum, K, V, k_s, k_d, v_s, v_d, rows, d, dv, begin, stop, Sq, Sk, Dq, Dv, scale,
    CAUSAL: tl.constexpr, CUT: tl.constexpr, CUT_VALUE: tl.constexpr, BLOCK_K: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """What the tiles of keys from ``begin`` to ``stop`` add, but for the scale, to dQ."""
    for start in range(begin, stop, BLOCK_K):
        columns = start + tl.arange(0, BLOCK_K)
        k = _load(K, columns, k_s, d, k_d, Sk, Dq, MASKED, CUT)
        v = _load(V, columns, v_s, dv, v_d, Sk, Dv, MASKED, CUT_VALUE)
        _p, ds = _weights(q, k, v, d_out, lse, row_sum, rows, columns, Sq, Sk, scale, CAUSAL, MASKED)
        d_q += tl.dot(ds.to(k.dtype), k, input_precision="tf32x3")
    return d_q


@triton.autotune(BACKWARD, KEY, prune_configs_by={"early_config_prune": _fitting})
@triton.jit
def _backward_queries(
    Q, K, V, DOut, Lse, RowSum, Out, DQ,
    q_b, q_h, q_s, q_d, k_b, k_h, k_s, k_d, v_b, v_h, v_s, v_d, o_b, o_h, o_s, o_d, H, GROUP, Sq, Sk, Dq, Dv, scale,
    CAUSAL: tl.constexpr, WIDTH: tl.constexpr, VALUE_WIDTH: tl.constexpr, CUT: tl.constexpr, CUT_VALUE: tl.constexpr,
    BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """dQ, and rowsum(dO ∘ O) for the kernel of the keys, both contiguous, of one tile of queries of one head."""
    tiles = tl.cdiv(Sq, BLOCK_Q)
    first = tl.program_id(0) % tiles * BLOCK_Q
    head = (tl.program_id(0) // tiles).to(tl.int64)
    b, h = head // H, head % H
    K += b * k_b + h // GROUP * k_h
    V += b * v_b + h // GROUP * v_h
    rows = first + tl.arange(0, BLOCK_Q)
    d, dv = tl.arange(0, WIDTH), tl.arange(0, VALUE_WIDTH)
    q = _load(Q + b * q_b + h * q_h, rows, q_s, d, q_d, Sq, Dq, True, CUT)
    d_out = _load(DOut + b * o_b + h * o_h, rows, o_s, dv, o_d, Sq, Dv, True, CUT_VALUE)
    out = _load(Out + head * Sq * Dv, rows, Dv, dv, 1, Sq, Dv, True, CUT_VALUE)
    lse, row_sum = _load_lse(Lse + head * Sq, rows, Sq), tl.sum(d_out.to(tl.float32) * out.to(tl.float32), 1)
    tl.store(RowSum + head * Sq + rows, row_sum, mask=rows < Sq)
    d_q = tl.zeros([BLOCK_Q, WIDTH], tl.float32)
    whole, stop = _seen_by_all(first, Sq, Sk, CAUSAL, BLOCK_K), _seen_by_any(first, Sq, Sk, CAUSAL, BLOCK_Q)
    d_q = _visit_keys_again(
        d_q, q, d_out, lse, row_sum, K, V, k_s, k_d, v_s, v_d, rows, d, dv, 0, whole, Sq, Sk, Dq, Dv, scale,
        CAUSAL, CUT, CUT_VALUE, BLOCK_K, False,
    )  # fmt: skip
    d_q = _visit_keys_again(
        d_q, q, d_out, lse, row_sum, K, V, k_s, k_d, v_s, v_d, rows, d, dv, whole, stop, Sq, Sk, Dq, Dv, scale,
        CAUSAL, CUT, CUT_VALUE, BLOCK_K, True,
    )  # fmt: skip
    _store(DQ + head * Sq * Dq, d_q * scale, rows, Dq, d, 1, Sq, Dq)


def _sizes(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> dict[str, Any]:
    """Arguments that all kernels share."""
    heads, dim, value_dim = q.shape[1], q.shape[3], v.shape[3]
    width, value_width = (max(16, triton.next_power_of_2(x)) for x in (dim, value_dim))
    return {
        "H": heads, "GROUP": heads // k.shape[1], "Sq": q.shape[2], "Sk": k.shape[2], "Dq": dim, "Dv": value_dim,
        "scale": 1 / math.sqrt(dim), "CAUSAL": causal, "WIDTH": width, "VALUE_WIDTH": value_width,
        "CUT": width != dim, "CUT_VALUE": value_width != value_dim,
    }  # fmt: skip


def _strides(*tensors: Tensor) -> list[int]:
    return [stride for x in tensors for stride in x.stride()]


class _FlashAttention(torch.autograd.Function):
    """out and lse with a backward pass through out; lse has none."""

    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor, causal: bool) -> tuple[Tensor, Tensor]:
        batch, heads, queries, _ = q.shape
        out = q.new_empty((batch, heads, queries, v.shape[-1]))
        lse = q.new_empty((batch, heads, queries), dtype=torch.float32)
        _forward[lambda tile: (triton.cdiv(queries, tile["BLOCK_Q"]) * batch * heads,)](
            q, k, v, out, lse, *_strides(q, k, v, out), **_sizes(q, k, v, causal)
        )
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.causal = causal
        ctx.mark_non_differentiable(lse)
        return out, lse

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_out: Tensor, _: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        q, k, v, out, lse = ctx.saved_tensors
        batch, heads, queries, _dim = q.shape
        row_sum = torch.empty_like(lse)
        dq, dk, dv = (torch.empty(x.shape, dtype=x.dtype, device=x.device) for x in (q, k, v))
        shared = (q, k, v, d_out, lse, row_sum)
        strides, sizes = _strides(q, k, v, d_out), _sizes(q, k, v, ctx.causal)
        _backward_queries[lambda tile: (triton.cdiv(queries, tile["BLOCK_Q"]) * batch * heads,)](
            *shared, out, dq, *strides, **sizes
        )
        _backward_keys[lambda tile: (triton.cdiv(k.shape[2], tile["BLOCK_K"]) * batch * k.shape[1],)](
            *shared, dk, dv, *strides, **sizes
        )
        return dq, dk, dv, None


def flash_attention(q: Tensor, k: Tensor, v: Tensor, causal: bool = False) -> tuple[Tensor, Tensor]:
    """Attention of ``q`` over ``k`` and ``v``, and the log-sum-exp of its scaled scores; differentiable.

    Args:
        q: ``(B, H, Sq, D)`` in fp16, bf16 or fp32.
        k: ``(B, Hkv, Sk, D)``; key head h serves query heads ``h·g … h·g + g − 1``, g = H / Hkv.
        v: ``(B, Hkv, Sk, Dv)``.
        causal: Whether query i sees only keys ``j <= i + Sk - Sq``.

    Returns:
        ``out`` ``(B, H, Sq, Dv)`` in the dtype of q, and ``lse`` ``(B, H, Sq)`` in fp32; a query that sees no key has
        out 0 and lse −inf.

    Raises:
        ValueError: Shapes, dtypes or devices do not fit.
    """
    _check(q, k, v)
    out, lse = _FlashAttention.apply(q, k, v, causal)
    return out, lse


def _check(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.dtype not in DTYPES or x.dtype != q.dtype or x.ndim != 4 or 0 in x.shape or x.shape[-1] > LARGEST_DIM:
            wanted = q.dtype if q.dtype in DTYPES else "float16, bfloat16 or float32"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (B, H, S, D) "
                f"without a 0 and with a last dim of at most {LARGEST_DIM}"
            )
        if x.device != q.device:
            raise ValueError(f"{name}: on {x.device}, expected on {q.device} as q")
    (batch, heads, _, dim), (_, kv_heads, keys, _) = q.shape, k.shape
    if k.shape[0] != batch or k.shape[-1] != dim or heads % kv_heads:
        raise ValueError(
            f"k: shape {tuple(k.shape)}, expected ({batch}, a divisor of {heads}, Sk, {dim}) for q {tuple(q.shape)}"
        )
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected ({batch}, {kv_heads}, {keys}, Dv) for k")
