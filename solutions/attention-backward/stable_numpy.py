"""Backward pass of attention in numpy: five products and the backward pass of softmax.

Idea: as in ``stable.py``: dV = Pᵀ dO, dP = dO Vᵀ, dS = P ∘ (dP − rowsum(P ∘ dP)), and the scale goes to dQ and to dK.

Shapes: q (..., Sq, D), k (..., Sk, D), v (..., Sk, Dv), d_out (..., Sq, Dv). Cost: O(Sq·Sk) memory for P and dP. Dao et
al. 2022, appendix B.2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def attention_backward(q: Array, k: Array, v: Array, d_out: Array) -> tuple[Array, Array, Array]:
    """Gradients of ``softmax(q kᵀ / √D) v`` with respect to q, k and v, in their shapes and dtype.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v, d_out)
    dtype, wide = q.dtype, np.promote_types(q.dtype, np.float32)
    q, k, v, d_out = (x.astype(wide) for x in (q, k, v, d_out))
    scale = wide.type(1 / math.sqrt(q.shape[-1]))
    scores = (q * scale) @ k.swapaxes(-2, -1)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    dp = d_out @ v.swapaxes(-2, -1)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True))
    dq, dk, dv = ds @ k * scale, ds.swapaxes(-2, -1) @ q * scale, p.swapaxes(-2, -1) @ d_out
    return dq.astype(dtype), dk.astype(dtype), dv.astype(dtype)


def _check(q: Array, k: Array, v: Array, d_out: Array) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v), ("d_out", d_out)):
        if x.ndim < 2 or 0 in x.shape or not np.issubdtype(x.dtype, np.floating) or x.dtype != q.dtype:
            wanted = q.dtype if np.issubdtype(q.dtype, np.floating) else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {x.shape}, expected {wanted} of shape (..., seq, dim) without a 0"
            )
    if k.shape[:-2] != q.shape[:-2] or k.shape[-1] != q.shape[-1]:
        raise ValueError(f"k: shape {k.shape}, expected that of q {q.shape} but for its length")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {v.shape}, expected that of k {k.shape} but for its last dim")
    if d_out.shape != (*q.shape[:-1], v.shape[-1]):
        raise ValueError(f"d_out: shape {d_out.shape}, expected {(*q.shape[:-1], v.shape[-1])}")
