"""Causal attention with linear biases (ALiBi) in numpy, stable.

Idea: the scaled score of query and key loses slope · distance, with the slope 2^(−8(h + 1)/H) of head h; later keys
are −inf. Queries stand at the end of the keys, those before the first give 0. float16 is computed in float32 and
rounded once, at the end.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv). Cost: 2·Sq·Sk·(D + Dv) FLOPs a head,
O(H·Sq·Sk) memory. Press et al. 2022, section 3.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def alibi_attention(q: Array, k: Array, v: Array) -> Array:
    """Attention of each query over the keys up to its position, with a penalty on their distance.

    Args:
        q: ``(B, H, Sq, D)``.
        k: ``(B, H, Sk, D)``.
        v: ``(B, H, Sk, Dv)``.

    Raises:
        ValueError: Shapes or dtypes do not fit, or H is no power of two.
    """
    _check(q, k, v)
    heads, queries, keys = q.shape[1], q.shape[2], k.shape[2]
    wide = np.promote_types(q.dtype, np.float32)
    slopes = (2.0 ** (-8.0 * np.arange(1, heads + 1) / heads)).astype(wide)
    distance = np.arange(queries)[:, None] + keys - queries - np.arange(keys)
    scores = (q.astype(wide) / math.sqrt(q.shape[-1])) @ k.astype(wide).swapaxes(-2, -1)
    scores -= slopes[:, None, None] * distance.astype(wide)
    out: Array = (_softmax(np.where(distance < 0, -np.inf, scores)) @ v.astype(wide)).astype(q.dtype)
    return out


def _softmax(scores: Array) -> Array:
    """Softmax over the last axis; a row that is −inf everywhere gives 0."""
    peak = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(peak == -np.inf, 0, peak))
    total = weights.sum(-1, keepdims=True)
    normed: Array = weights / np.where(total == 0, 1, total)
    return normed


def _check(q: Array, k: Array, v: Array) -> None:
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
    if q.shape[1] & (q.shape[1] - 1):
        raise ValueError(f"q: {q.shape[1]} heads in shape {q.shape}, expected a power of two")
