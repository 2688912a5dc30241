"""Causal attention over a sliding window in numpy, stable.

Idea: the query at position p = i + Sk − Sq sees the keys p − W < j ≤ p, its own included; the others are −inf
before the softmax, which subtracts the maximum of each row. Queries before the first key give 0. float16 is
computed in float32 and rounded once, at the end.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv). Cost: O(Sq·Sk) FLOPs and memory a head.
Beltagy et al. 2020, section 3.1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def sliding_window_attention(q: Array, k: Array, v: Array, window: int) -> Array:
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
    wide = np.promote_types(q.dtype, np.float32)
    position = np.arange(q.shape[2])[:, None] + k.shape[2] - q.shape[2]
    key = np.arange(k.shape[2])
    visible = (key <= position) & (key > position - window)
    scores = (q.astype(wide) / math.sqrt(q.shape[-1])) @ k.astype(wide).swapaxes(-2, -1)
    out: Array = (_softmax(np.where(visible, scores, -np.inf)) @ v.astype(wide)).astype(q.dtype)
    return out


def _softmax(scores: Array) -> Array:
    """Softmax over the last axis; a row that is −inf everywhere gives 0."""
    peak = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(peak == -np.inf, 0, peak))
    total = weights.sum(-1, keepdims=True)
    normed: Array = weights / np.where(total == 0, 1, total)
    return normed


def _check(q: Array, k: Array, v: Array, window: int) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim != 4 or 0 in x.shape or not np.issubdtype(x.dtype, np.floating) or x.dtype != q.dtype:
            wanted = q.dtype if np.issubdtype(q.dtype, np.floating) else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {x.shape}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    if k.shape[:2] != q.shape[:2] or k.shape[3] != q.shape[3]:
        raise ValueError(f"k: shape {k.shape}, expected that of q {q.shape} but for its length")
    if v.shape[:3] != k.shape[:3]:
        raise ValueError(f"v: shape {v.shape}, expected that of k {k.shape} but for its last dim")
    if not isinstance(window, int) or window < 1:
        raise ValueError(f"window: {window!r}, expected an integer of at least 1 (the query's own key)")
