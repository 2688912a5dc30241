"""Causal attention by tiles in numpy, as FlashAttention-2 does it: tiles of the future are never computed.

Idea: for a tile of queries walk over tiles of keys with a running maximum m, a running sum ℓ of exp(s − m)
and the unnormalised output o, all rescaled when the maximum rises. Tiles to the right of the diagonal j = i +
Sk − Sq are not visited, tiles on it are masked, tiles to the left need no mask. Queries before the first key
give 0.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv); any leading dims. Cost: about
half the FLOPs of ``stable_numpy.py``; extra memory one tile of scores and O(Sq). Dao 2023,
"FlashAttention-2", section 3.1 and algorithm 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def causal_attention(
    q: Array, k: Array, v: Array, block_size: int = 128, return_lse: bool = False
) -> Array | tuple[Array, Array]:
    """Attention of each query over the keys up to its position; a query before the first key gives 0.

    Args:
        q: ``(..., Sq, D)``.
        k: ``(..., Sk, D)``.
        v: ``(..., Sk, Dv)``.
        block_size: Queries and keys a tile.
        return_lse: Return ``(out, lse)``, lse ``(..., Sq)`` in at least fp32, −inf where there was no key.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v)
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    diagonal = k.shape[-2] - q.shape[-2]
    out = np.empty((*q.shape[:-1], v.shape[-1]), q.dtype)
    lse = np.empty(q.shape[:-1], np.promote_types(q.dtype, np.float32))
    for i in range(0, q.shape[-2], block_size):
        rows = slice(i, i + block_size)
        out[..., rows, :], lse[..., rows] = _attend(q[..., rows, :], k, v, i + diagonal, block_size)
    return (out, lse) if return_lse else out


def _attend(q: Array, k: Array, v: Array, first: int, block_size: int) -> tuple[Array, Array]:
    """Output and log-sum-exp of one tile of queries, the first of which sees the keys up to ``first``."""
    wide = np.promote_types(q.dtype, np.float32)
    q = q.astype(wide) / math.sqrt(q.shape[-1])
    limit = first + np.arange(q.shape[-2])[:, None]
    peak = np.full((*q.shape[:-1], 1), -np.inf, wide)
    total = np.zeros_like(peak)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), wide)
    for j in range(0, min(k.shape[-2], first + q.shape[-2]), block_size):
        columns = slice(j, min(j + block_size, k.shape[-2]))
        scores = q @ k[..., columns, :].astype(wide).swapaxes(-2, -1)
        if columns.stop - 1 > first:
            scores = np.where(np.arange(columns.start, columns.stop) > limit, -np.inf, scores)
        higher = np.maximum(peak, scores.max(-1, keepdims=True))
        shift = np.where(higher == -np.inf, 0, higher)
        rescale, weights = np.exp(peak - shift), np.exp(scores - shift)
        total = total * rescale + weights.sum(-1, keepdims=True)
        out = out * rescale + weights @ v[..., columns, :].astype(wide)
        peak = higher
    total = np.where(total == 0, 1, total)
    return out / total, (peak + np.log(total))[..., 0]


def _check(q: Array, k: Array, v: Array) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim < 2 or 0 in x.shape or not np.issubdtype(x.dtype, np.floating) or x.dtype != q.dtype:
            wanted = q.dtype if np.issubdtype(q.dtype, np.floating) else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {x.shape}, expected {wanted} of shape (..., seq, dim) without a 0"
            )
    if k.shape[:-2] != q.shape[:-2] or k.shape[-1] != q.shape[-1]:
        raise ValueError(f"k: shape {k.shape}, expected that of q {q.shape} but for its length")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {v.shape}, expected that of k {k.shape} but for its last dim")
