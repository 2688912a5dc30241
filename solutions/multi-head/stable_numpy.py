"""Multi-head attention in numpy, in the functional form, stable.

Idea: project, cut the channels into heads, attend in every head with the maximum of each row subtracted, put
the heads side by side, mix them with W_o. The scale is 1/√(C / n_heads). float16 is computed in float32 and
rounded once, at the end.

Shapes: x (B, S, C) to (B, S, C); inside, heads are (B, n_heads, S, C / n_heads). Weights (C, C) multiply from
the right. Cost: 8·S·C² + 4·S²·C FLOPs a sample, O(n_heads·S²) memory. Vaswani et al. 2017, section 3.2.2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def multi_head_attention(
    x: Array, w_q: Array, w_k: Array, w_v: Array, w_o: Array, n_heads: int, mask: Array | None = None
) -> Array:
    """Self-attention of ``x`` with ``n_heads`` heads; a query with nothing to attend to gives 0 before ``w_o``.

    Args:
        x: ``(B, S, C)``.
        w_q: ``(C, C)``; head h owns the columns ``h*D .. h*D+D-1``, D = C / n_heads. ``w_k`` and ``w_v`` likewise.
        w_o: ``(C, C)``.
        n_heads: Number of heads; divides C.
        mask: Broadcastable to ``(B, n_heads, S, S)``: boolean, True = may attend, or floating, added to the scores.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(x, {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}, n_heads, mask)
    wide = np.promote_types(x.dtype, np.float32)
    q, k, v = (_split(x.astype(wide) @ w.astype(wide), n_heads) for w in (w_q, w_k, w_v))
    merged = _attention(q, k, v, mask).swapaxes(1, 2).reshape(x.shape)
    out: Array = (merged @ w_o.astype(wide)).astype(x.dtype)
    return out


def _split(x: Array, n_heads: int) -> Array:
    """``(B, S, H*D)`` to ``(B, H, S, D)``: first cut the channels, then move the heads forward."""
    batch, length, width = x.shape
    return x.reshape(batch, length, n_heads, width // n_heads).swapaxes(1, 2)


def _attention(q: Array, k: Array, v: Array, mask: Array | None) -> Array:
    """Stable scaled dot-product attention, ``(B, H, S, D)``; a row with nothing to attend to gives 0."""
    scores = (q / math.sqrt(q.shape[-1])) @ k.swapaxes(-2, -1)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == np.bool_ else scores + mask
    peak = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(peak == -np.inf, 0, peak))
    total = weights.sum(-1, keepdims=True)
    out: Array = weights / np.where(total == 0, 1, total) @ v
    return out


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
