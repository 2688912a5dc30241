"""Causal attention over a sliding window, by tiles of queries: only the band is computed.

Idea: a tile of n queries that ends at position p sees at most the n + W − 1 keys up to p, so one slice of the
keys is all it needs: the softmax of a tile is complete, and no running maximum has to be kept. The two edges of
the band cut through the slice and are masked entry by entry; what lies outside is never computed. A tile whose
queries all stand before the first key gives 0.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv). Cost: O(Sq·(n + W)) instead of
O(Sq·Sk), in FLOPs; in memory one tile of n·(n + W − 1) scores. Beltagy et al. 2020, section 3.1.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int, block_size: int = 64) -> Tensor:
    """Attention of each query over the last ``window`` keys up to its position.

    Args:
        q: ``(B, H, Sq, D)``.
        k: ``(B, H, Sk, D)``.
        v: ``(B, H, Sk, Dv)``.
        window: Keys that a query sees, its own included.
        block_size: Queries a tile.

    Raises:
        ValueError: Shapes or dtypes do not fit, or the window or the block size is below 1.
    """
    _check(q, k, v, window)
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    corner = k.shape[2] - q.shape[2]
    starts = range(0, q.shape[2], block_size)
    return torch.cat([_attend(q[:, :, i : i + block_size], k, v, i + corner, window) for i in starts], dim=2)


def _attend(q: Tensor, k: Tensor, v: Tensor, first: int, window: int) -> Tensor:
    """One tile of queries, the first of which stands at position ``first``."""
    position = first + torch.arange(q.shape[2], device=q.device)[:, None]
    start, stop = max(0, first - window + 1), max(0, first + q.shape[2])
    if start >= stop:
        return q.new_zeros((*q.shape[:-1], v.shape[-1]))
    key = torch.arange(start, stop, device=q.device)
    visible = (key <= position) & (key > position - window)
    scores = (q / math.sqrt(q.shape[-1])) @ k[:, :, start:stop].transpose(-2, -1)
    scores = scores.to(torch.promote_types(q.dtype, torch.float32)).masked_fill(~visible, -torch.inf)
    return _softmax(scores).to(v.dtype) @ v[:, :, start:stop]


def _softmax(scores: Tensor) -> Tensor:
    """Softmax over the last dim; a row that is −inf everywhere gives 0."""
    # The result does not depend on the shift, so no gradient has to flow through it.
    peak = scores.detach().amax(-1, keepdim=True)
    weights = torch.exp(scores - peak.masked_fill(peak == -torch.inf, 0.0))
    total = weights.sum(-1, keepdim=True)
    return weights / total.masked_fill(total == 0, 1.0)


def _check(q: Tensor, k: Tensor, v: Tensor, window: int) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim != 4 or 0 in x.shape or not x.is_floating_point() or x.dtype != q.dtype:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    if k.shape[:2] != q.shape[:2] or k.shape[3] != q.shape[3]:
        raise ValueError(f"k: shape {tuple(k.shape)}, expected that of q {tuple(q.shape)} but for its length")
    if v.shape[:3] != k.shape[:3]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected that of k {tuple(k.shape)} but for its last dim")
    if not isinstance(window, int) or window < 1:
        raise ValueError(f"window: {window!r}, expected an integer of at least 1 (the query's own key)")
