"""Multi-head attention in numpy, in the functional form, with attention by tiles.

Idea: the projections and the cut into heads of ``stable_numpy.py``; each head then walks over tiles of keys
with a running maximum, a running sum and an unnormalised output (``sdpa/tiled_numpy.py`` says how), so the S
× S scores never exist.

Shapes: x (B, S, C) to (B, S, C); inside, heads are (B, n_heads, S, C / n_heads). Weights (C, C) multiply from
the right. Cost: 8·S·C² + 4·S²·C FLOPs a sample; extra memory one tile of scores a head and O(S·C). Vaswani et
al. 2017, section 3.2.2; Dao 2023, "FlashAttention-2", algorithm 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def multi_head_attention(
    x: Array,
    w_q: Array,
    w_k: Array,
    w_v: Array,
    w_o: Array,
    n_heads: int,
    mask: Array | None = None,
    block_size: int = 128,
) -> Array:
    """Self-attention of ``x`` with ``n_heads`` heads; a query with nothing to attend to gives 0 before ``w_o``.

    Args:
        x: ``(B, S, C)``.
        w_q: ``(C, C)``; head h owns the columns ``h*D .. h*D+D-1``, D = C / n_heads. ``w_k`` and ``w_v`` likewise.
        w_o: ``(C, C)``.
        n_heads: Number of heads; divides C.
        mask: Broadcastable to ``(B, n_heads, S, S)``: boolean, True = may attend, or floating, added to the scores.
        block_size: Queries and keys a tile.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(x, {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}, n_heads, mask)
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    wide = np.promote_types(x.dtype, np.float32)
    q, k, v = (_split(x.astype(wide) @ w.astype(wide), n_heads) for w in (w_q, w_k, w_v))
    merged = _attention(q, k, v, mask, block_size).swapaxes(1, 2).reshape(x.shape)
    out: Array = (merged @ w_o.astype(wide)).astype(x.dtype)
    return out


def _split(x: Array, n_heads: int) -> Array:
    """``(B, S, H*D)`` to ``(B, H, S, D)``: first cut the channels, then move the heads forward."""
    batch, length, width = x.shape
    return x.reshape(batch, length, n_heads, width // n_heads).swapaxes(1, 2)


def _attention(q: Array, k: Array, v: Array, mask: Array | None, block_size: int) -> Array:
    """Attention by tiles, ``(B, H, S, D)``; a row with nothing to attend to gives 0."""
    if mask is not None:
        mask = np.broadcast_to(mask, (*q.shape[:-1], k.shape[-2]))  # a view: no memory
    out = np.empty_like(v)
    for i in range(0, q.shape[-2], block_size):
        rows = slice(i, i + block_size)
        out[..., rows, :] = _attend(q[..., rows, :], k, v, None if mask is None else mask[..., rows, :], block_size)
    return out


def _attend(q: Array, k: Array, v: Array, mask: Array | None, block_size: int) -> Array:
    """Output of one tile of queries, from one pass over the tiles of keys."""
    q = q / math.sqrt(q.shape[-1])
    peak = np.full((*q.shape[:-1], 1), -np.inf, q.dtype)
    total = np.zeros_like(peak)
    out = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for j in range(0, k.shape[-2], block_size):
        columns = slice(j, j + block_size)
        scores = q @ k[..., columns, :].swapaxes(-2, -1)
        if mask is not None:
            tile = mask[..., columns]
            scores = np.where(tile, scores, -np.inf) if tile.dtype == np.bool_ else scores + tile
        higher = np.maximum(peak, scores.max(-1, keepdims=True))
        shift = np.where(higher == -np.inf, 0, higher)
        rescale, weights = np.exp(peak - shift), np.exp(scores - shift)
        total = total * rescale + weights.sum(-1, keepdims=True)
        out = out * rescale + weights @ v[..., columns, :]
        peak = higher
    normed: Array = out / np.where(total == 0, 1, total)
    return normed


def _check(x: Array, weights: dict[str, Array], n_heads: int, mask: Array | None) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    if x.ndim != 3 or 0 in x.shape or not np.issubdtype(x.dtype, np.floating):
        raise ValueError(f"x: {x.dtype} of shape {x.shape}, expected floating, (batch, seq, channels) without a 0")
    width = x.shape[-1]
    if n_heads < 1 or width % n_heads:
        raise ValueError(f"n_heads: {n_heads}, expected a divisor of the {width} channels of x")
    for name, weight in weights.items():
        if weight.shape != (width, width) or weight.dtype != x.dtype:
            raise ValueError(
                f"{name}: {weight.dtype} of shape {weight.shape}, expected {x.dtype} of shape ({width}, {width}) "
                f"to go with x {x.shape}"
            )
    if mask is None:
        return
    scores = (x.shape[0], n_heads, x.shape[1], x.shape[1])
    if mask.dtype != np.bool_ and not np.issubdtype(mask.dtype, np.floating):
        raise ValueError(
            f"mask: {mask.dtype} of shape {mask.shape}, expected bool (True = may attend) or floating (added)"
        )
    sizes = zip(reversed(mask.shape), reversed(scores), strict=False)
    if mask.ndim > len(scores) or any(size not in (1, wanted) for size, wanted in sizes):
        raise ValueError(f"mask: shape {mask.shape}, expected one that broadcasts to the scores {scores}")
