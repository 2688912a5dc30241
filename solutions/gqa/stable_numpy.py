"""Grouped-query attention in numpy, stable, without a copy of the keys and values.

Idea: query head h reads key/value head h // g, g = H / Hkv, so the head axis of q splits into (Hkv, g) and the keys
broadcast over g. The softmax subtracts the maximum of each row; float16 is computed in float32 and rounded once,
at the end.

Shapes: q (B, H, Sq, D), k (B, Hkv, Sk, D), v (B, Hkv, Sk, Dv) to (B, H, Sq, Dv). Cost: 2·Sq·Sk·(D + Dv) FLOPs
a query head, O(H·Sq·Sk) memory. Ainslie et al. 2023, section 2.2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def gqa(q: Array, k: Array, v: Array) -> Array:
    """Attention of each query head over the keys of its group's head.

    Args:
        q: ``(B, H, Sq, D)``.
        k: ``(B, Hkv, Sk, D)``.
        v: ``(B, Hkv, Sk, Dv)``.

    Raises:
        ValueError: Shapes, dtypes or numbers of heads do not fit.
    """
    _check(q, k, v)
    wide = np.promote_types(q.dtype, np.float32)
    batch, heads, queries, dim = q.shape
    groups = (q.astype(wide) / math.sqrt(dim)).reshape(batch, k.shape[1], -1, queries, dim)
    scores = groups @ k.astype(wide)[:, :, None].swapaxes(-2, -1)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    out: Array = (weights @ v.astype(wide)[:, :, None]).reshape(batch, heads, queries, v.shape[-1]).astype(q.dtype)
    return out


def _check(q: Array, k: Array, v: Array) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim != 4 or 0 in x.shape or not np.issubdtype(x.dtype, np.floating) or x.dtype != q.dtype:
            wanted = q.dtype if np.issubdtype(q.dtype, np.floating) else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {x.shape}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    if k.shape[0] != q.shape[0] or k.shape[3] != q.shape[3]:
        raise ValueError(f"k: shape {k.shape}, expected batch and last dim of q {q.shape}")
    if q.shape[1] % k.shape[1]:
        raise ValueError(f"k: {k.shape[1]} heads in shape {k.shape}, expected a divisor of the {q.shape[1]} of q")
    if v.shape[:3] != k.shape[:3]:
        raise ValueError(f"v: shape {v.shape}, expected that of k {k.shape} but for its last dim")
