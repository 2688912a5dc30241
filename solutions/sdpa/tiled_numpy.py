"""Attention by tiles in numpy, as FlashAttention-2 does it: exact, and the S × S scores never exist.

Idea: for a tile of queries keep the maximum m of the scores so far, the sum ℓ of exp(s − m) and the
unnormalised output o = Σ exp(s − m)·v. A tile of keys that raises the maximum to m' rescales both by exp(m −
m'). At the end out = o / ℓ and lse = m + log ℓ. Until some key is seen m is −inf; a shift by 0 keeps −inf −
(−inf) from becoming NaN.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv); any leading dims, any lengths.
Cost: the FLOPs of ``stable_numpy.py``; extra memory one tile of scores and O(Sq). Dao 2023,
"FlashAttention-2", algorithm 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def attention(
    q: Array, k: Array, v: Array, mask: Array | None = None, block_size: int = 128, return_lse: bool = False
) -> Array | tuple[Array, Array]:
    """Attention of ``q`` over ``k`` and ``v`` by tiles; a query with nothing to attend to gives 0.

    Args:
        q: ``(..., Sq, D)``.
        k: ``(..., Sk, D)``.
        v: ``(..., Sk, Dv)``.
        mask: Broadcastable to ``(..., Sq, Sk)``: boolean, True = may attend, or floating, added to the scores.
        block_size: Queries and keys a tile.
        return_lse: Return ``(out, lse)``, lse ``(..., Sq)`` in at least float32, −inf where there was no key.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v, mask)
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    if mask is not None:
        mask = np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2]))  # a view: no memory
    out = np.empty((*q.shape[:-1], v.shape[-1]), q.dtype)
    lse = np.empty(q.shape[:-1], np.promote_types(q.dtype, np.float32))
    for i in range(0, q.shape[-2], block_size):
        rows = slice(i, i + block_size)
        tile = None if mask is None else mask[..., rows, :]
        out[..., rows, :], lse[..., rows] = _attend(q[..., rows, :], k, v, tile, block_size)
    return (out, lse) if return_lse else out


def _attend(q: Array, k: Array, v: Array, mask: Array | None, block_size: int) -> tuple[Array, Array]:
    """Output and log-sum-exp of one tile of queries, from one pass over the tiles of keys."""
    wide = np.promote_types(q.dtype, np.float32)
    q = q.astype(wide) / math.sqrt(q.shape[-1])
    peak = np.full((*q.shape[:-1], 1), -np.inf, wide)
    total = np.zeros_like(peak)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), wide)
    for j in range(0, k.shape[-2], block_size):
        columns = slice(j, j + block_size)
        scores = q @ k[..., columns, :].astype(wide).swapaxes(-2, -1)
        if mask is not None:
            tile = mask[..., columns]
            scores = np.where(tile, scores, -np.inf) if tile.dtype == np.bool_ else scores + tile
        higher = np.maximum(peak, scores.max(-1, keepdims=True))
        shift = np.where(higher == -np.inf, 0, higher)
        rescale, weights = np.exp(peak - shift), np.exp(scores - shift)
        total = total * rescale + weights.sum(-1, keepdims=True)
        out = out * rescale + weights @ v[..., columns, :].astype(wide)
        peak = higher
    total = np.where(total == 0, 1, total)
    return out / total, (peak + np.log(total))[..., 0]


def _check(q: Array, k: Array, v: Array, mask: Array | None) -> None:
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
    if mask is None:
        return
    scores = (*q.shape[:-1], k.shape[-2])
    if mask.dtype != np.bool_ and not np.issubdtype(mask.dtype, np.floating):
        raise ValueError(
            f"mask: {mask.dtype} of shape {mask.shape}, expected bool (True = may attend) or floating (added)"
        )
    sizes = zip(reversed(mask.shape), reversed(scores), strict=False)
    if mask.ndim > len(scores) or any(size not in (1, wanted) for size, wanted in sizes):
        raise ValueError(f"mask: shape {mask.shape}, expected one that broadcasts to the scores {scores}")
