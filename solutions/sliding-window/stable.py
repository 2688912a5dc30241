"""Causal attention over a sliding window, stable in every dtype.

Idea: the query at position p sees the keys p − W < j ≤ p: exactly W of them, its own included, once there are as
many. The band has two edges, and both move with the corner: p = i + Sk − Sq. Off by one at the lower edge is the
usual mistake (j ≥ p − W are W + 1 keys), and a window that does not shift with the corner is wrong only where there
is a cache. W ≥ Sk is causal attention. Queries before the first key give 0.

Stacked layers see further: after L of them information has moved up to L·(W − 1) positions.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv). Cost: O(Sq·Sk) here, as the scores are
made and then masked; ``tiled.py`` computes the band alone. Beltagy et al. 2020, section 3.1; Jiang et al. 2023,
section 2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Attention of each query over the last ``window`` keys up to its position.

    Args:
        q: ``(B, H, Sq, D)``.
        k: ``(B, H, Sk, D)``.
        v: ``(B, H, Sk, Dv)``.
        window: Keys that a query sees, its own included.

    Raises:
        ValueError: Shapes or dtypes do not fit, or the window is below 1.
    """
    _check(q, k, v, window)
    queries, keys = q.shape[2], k.shape[2]
    position = torch.arange(queries, device=q.device)[:, None] + keys - queries
    key = torch.arange(keys, device=q.device)
    visible = (key <= position) & (key > position - window)
    scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
    scores = scores.to(torch.promote_types(q.dtype, torch.float32)).masked_fill(~visible, -torch.inf)
    return _softmax(scores).to(v.dtype) @ v


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
