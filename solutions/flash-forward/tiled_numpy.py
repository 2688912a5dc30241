"""FlashAttention's forward pass by tiles in numpy: exact attention that never holds the S × S scores.

Idea: for a tile of queries walk over tiles of keys with a running maximum m, a running sum ℓ of exp(s − m) and
the unnormalised output o; a tile that raises the maximum to m' rescales ℓ and o by exp(m − m'). At the end
out = o / ℓ and lse = m + log ℓ. If causal, query i sees keys j ≤ i + Sk − Sq (bottom right): tiles of keys after
the last one that a tile of queries sees are not visited, and those on the diagonal are masked. The g query heads of a
key/value head share its tiles by broadcasting. Queries without a key give 0 and lse = −inf.

Shapes: q (B, H, Sq, D), k (B, Hkv, Sk, D), v (B, Hkv, Sk, Dv), Hkv divides H, to out (B, H, Sq, Dv) and lse
(B, H, Sq). Cost: 2·Sq·Sk·(D + Dv) FLOPs a head, half of it if causal; beside the results one tile of scores and
outputs. Half precision is computed in fp32. Milakov and Gimelshein 2018, section 3; Dao 2023, "FlashAttention-2",
section 3.1 and algorithm 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def flash_attention(q: Array, k: Array, v: Array, causal: bool = False, block_size: int = 64) -> tuple[Array, Array]:
    """Attention of ``q`` over ``k`` and ``v``, and the log-sum-exp of its scaled scores.

    Args:
        q: ``(B, H, Sq, D)``, floating.
        k: ``(B, Hkv, Sk, D)``; key head h serves query heads ``h·g … h·g + g − 1``, g = H / Hkv.
        v: ``(B, Hkv, Sk, Dv)``.
        causal: Whether query i sees only keys ``j <= i + Sk - Sq``.
        block_size: Queries and keys a tile; may exceed the lengths.

    Returns:
        ``out`` ``(B, H, Sq, Dv)`` in the dtype of q, and ``lse`` ``(B, H, Sq)`` in at least fp32; a query that
        sees no key has out 0 and lse −inf.

    Raises:
        ValueError: Shapes, dtypes or the block size do not fit.
    """
    _check(q, k, v, block_size)
    (batch, heads, queries, dim), (_, kv_heads, keys, _) = q.shape, k.shape
    wide = np.promote_types(q.dtype, np.float32)
    out = np.empty((*q.shape[:-1], v.shape[-1]), q.dtype)
    lse = np.empty(q.shape[:-1], wide)
    grouped = (batch, kv_heads, heads // kv_heads, queries)
    q, out_by_group, lse_by_group = q.reshape(*grouped, dim), out.reshape(*grouped, -1), lse.reshape(grouped)
    k, v = k[:, :, None], v[:, :, None]
    for i in range(0, queries, block_size):
        rows = slice(i, i + block_size)
        first = i + keys - queries if causal else None
        tile = q[..., rows, :].astype(wide) / math.sqrt(dim)
        out_by_group[..., rows, :], lse_by_group[..., rows] = _attend(tile, k, v, first, block_size)
    return out, lse


def _attend(q: Array, k: Array, v: Array, first: int | None, block_size: int) -> tuple[Array, Array]:
    """Output and log-sum-exp of one tile of scaled queries; if causal, row r sees the keys up to ``first + r``."""
    peak = np.full((*q.shape[:-1], 1), -np.inf, q.dtype)
    total = np.zeros_like(peak)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    keys, rows = k.shape[-2], q.shape[-2]
    for j in range(0, keys if first is None else min(keys, first + rows), block_size):
        stop = min(j + block_size, keys)
        scores = q @ k[..., j:stop, :].astype(q.dtype).swapaxes(-2, -1)
        if first is not None and stop - 1 > first:
            scores = np.where(np.arange(j, stop) > first + np.arange(rows)[:, None], -np.inf, scores)
        higher = np.maximum(peak, scores.max(-1, keepdims=True))
        # A row that has seen no key yet is shifted by 0: −inf − (−inf) would be NaN.
        shift = np.where(higher == -np.inf, 0, higher)
        rescale, weights = np.exp(peak - shift), np.exp(scores - shift)
        total = total * rescale + weights.sum(-1, keepdims=True)
        out = out * rescale + weights @ v[..., j:stop, :].astype(q.dtype)
        peak = higher
    seen = total > 0
    lse = np.add(peak, np.log(total, where=seen, out=np.zeros_like(total)))
    return out / np.where(seen, total, 1), lse[..., 0]


def _check(q: Array, k: Array, v: Array, block_size: int) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if not np.issubdtype(x.dtype, np.floating) or x.dtype != q.dtype or x.ndim != 4 or 0 in x.shape:
            wanted = q.dtype if np.issubdtype(q.dtype, np.floating) else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {x.shape}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    (batch, heads, _, dim), (_, kv_heads, keys, _) = q.shape, k.shape
    if k.shape[0] != batch or k.shape[-1] != dim or heads % kv_heads:
        raise ValueError(f"k: shape {k.shape}, expected ({batch}, a divisor of {heads}, Sk, {dim}) for q {q.shape}")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {v.shape}, expected ({batch}, {kv_heads}, {keys}, Dv) for k")
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
