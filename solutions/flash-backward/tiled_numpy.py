"""FlashAttention's backward pass by tiles in numpy: the weights are computed again, never stored.

Idea: the forward pass left out and lse. Any tile of the weights comes back as P = exp(s − lse), and the row sum that
the derivative of the softmax needs is rowsum(P ∘ dP) = rowsum(dO ∘ O). For a tile of keys, walk over the tiles of
queries that see it:

    P  = exp(q kᵀ · scale − lse)        dV += Pᵀ dO
    dS = P ∘ (dO Vᵀ − rowsum(dO ∘ O))   dQ += dS k · scale      dK += dSᵀ q · scale

If causal, query i saw keys j ≤ i + Sk − Sq (bottom right), and queries before a tile of keys skip it. dK and dV of
grouped heads are sums over the g query heads of a group. A query that saw no key has lse −inf; +inf in its place
gives P = 0.

Shapes: q, dq (B, H, Sq, D), k, dk (B, Hkv, Sk, D), v, dv (B, Hkv, Sk, Dv), out, d_out (B, H, Sq, Dv), lse
(B, H, Sq). Cost: five products, 2.5 times the FLOPs of the forward pass; beside the results a few tiles of
scores and O(S). Half precision is computed in fp32. Dao et al. 2022, appendix B.4 and algorithm 4; Dao 2023,
"FlashAttention-2", algorithm 2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def flash_attention_backward(
    q: Array,
    k: Array,
    v: Array,
    out: Array,
    lse: Array,
    d_out: Array,
    causal: bool = False,
    block_size: int = 64,
) -> tuple[Array, Array, Array]:
    """Gradients of attention with respect to ``q``, ``k`` and ``v``.

    Args:
        q: ``(B, H, Sq, D)``, floating.
        k: ``(B, Hkv, Sk, D)``; key head h serves query heads ``h·g … h·g + g − 1``, g = H / Hkv.
        v: ``(B, Hkv, Sk, Dv)``.
        out: ``(B, H, Sq, Dv)``, the output of the forward pass.
        lse: ``(B, H, Sq)``, the log-sum-exp of its scaled scores, −inf for a query without a key.
        d_out: ``(B, H, Sq, Dv)``, the gradient with respect to ``out``.
        causal: Whether query i saw only keys ``j <= i + Sk - Sq``.
        block_size: Queries and keys a tile; may exceed the lengths.

    Returns:
        ``dq``, ``dk``, ``dv`` in the shapes and the dtype of q, k and v.

    Raises:
        ValueError: Shapes, dtypes or the block size do not fit.
    """
    _check(q, k, v, out, lse, d_out, block_size)
    (batch, heads, queries, dim), (_, kv_heads, keys, _) = q.shape, k.shape
    wide = np.promote_types(q.dtype, np.float32)
    scale = 1 / math.sqrt(dim)
    row_sum = (d_out.astype(wide) * out.astype(wide)).sum(-1, keepdims=True)
    lse = np.where(lse == -np.inf, np.inf, lse).astype(wide)[..., None]
    dq, dk, dv = (np.zeros(x.shape, wide) for x in (q, k, v))
    grouped = (batch, kv_heads, heads // kv_heads, queries)
    by_group = [x.reshape(*grouped, -1) for x in (q, d_out, lse, row_sum, dq)]
    for j in range(0, keys, block_size):
        columns = slice(j, min(j + block_size, keys))
        key, value = (x[:, :, None, columns].astype(wide) for x in (k, v))
        for i in range(max(0, j - (keys - queries)) if causal else 0, queries, block_size):
            *tiles, dq_tile = (x[..., i : i + block_size, :] for x in by_group)
            query, d_o, lse_tile, row_sums = (x.astype(wide) for x in tiles)
            scores = query @ key.swapaxes(-2, -1) * scale
            if causal:
                seen = i + np.arange(query.shape[-2])[:, None] + keys - queries
                scores[..., np.arange(j, columns.stop) > seen] = -np.inf
            p = np.exp(scores - lse_tile)
            ds = p * (d_o @ value.swapaxes(-2, -1) - row_sums) * scale
            dq_tile += ds @ key
            dk[..., columns, :] += (ds.swapaxes(-2, -1) @ query).sum(2)
            dv[..., columns, :] += (p.swapaxes(-2, -1) @ d_o).sum(2)
    dq, dk, dv = (x.astype(q.dtype, copy=False) for x in (dq, dk, dv))
    return dq, dk, dv


def _check(q: Array, k: Array, v: Array, out: Array, lse: Array, d_out: Array, block_size: int) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v), ("out", out), ("d_out", d_out)):
        if not np.issubdtype(x.dtype, np.floating) or x.dtype != q.dtype or x.ndim != 4 or 0 in x.shape:
            wanted = q.dtype if np.issubdtype(q.dtype, np.floating) else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {x.shape}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    (batch, heads, queries, dim), (_, kv_heads, keys, _) = q.shape, k.shape
    if k.shape[0] != batch or k.shape[-1] != dim or heads % kv_heads:
        raise ValueError(f"k: shape {k.shape}, expected ({batch}, a divisor of {heads}, Sk, {dim}) for q {q.shape}")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {v.shape}, expected ({batch}, {kv_heads}, {keys}, Dv) for k")
    for name, x, wanted_shape in (
        ("out", out, (batch, heads, queries, v.shape[-1])),
        ("d_out", d_out, (batch, heads, queries, v.shape[-1])),
        ("lse", lse, (batch, heads, queries)),
    ):
        if x.shape != wanted_shape or not np.issubdtype(x.dtype, np.floating):
            raise ValueError(f"{name}: {x.dtype} of shape {x.shape}, expected floating, {wanted_shape}")
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
