"""Scaled dot-product attention in numpy, stable: softmax(Q Kᵀ / √d) V.

Idea: q is scaled before the product, the maximum of each row is subtracted before exp, masked scores are
−inf, and a row with nothing to attend to gives 0. float16 is computed in float32 and rounded once, at the
end.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv); any leading dims. Cost:
2·Sq·Sk·(D + Dv) FLOPs a head, O(Sq·Sk) memory. Vaswani et al. 2017, section 3.2.1, equation (1).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def attention(q: Array, k: Array, v: Array, mask: Array | None = None) -> Array:
    """Attention of ``q`` over ``k`` and ``v``; a query with nothing to attend to gives 0.

    Args:
        q: ``(..., Sq, D)``.
        k: ``(..., Sk, D)``.
        v: ``(..., Sk, Dv)``.
        mask: Broadcastable to ``(..., Sq, Sk)``: boolean, True = may attend, or floating, added to the scores.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v, mask)
    wide = np.promote_types(q.dtype, np.float32)
    scores = (q.astype(wide) / math.sqrt(q.shape[-1])) @ k.astype(wide).swapaxes(-2, -1)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == np.bool_ else scores + mask
    out: Array = (_softmax(scores) @ v.astype(wide)).astype(q.dtype)
    return out


def _softmax(scores: Array) -> Array:
    """Softmax over the last axis; a row that is −inf everywhere gives 0."""
    peak = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(peak == -np.inf, 0, peak))
    total = weights.sum(-1, keepdims=True)
    normed: Array = weights / np.where(total == 0, 1, total)
    return normed


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
