"""Attention in half precision in numpy, with what must not be done in half precision done in single.

Idea: as in ``stable.py``: the scale goes onto q before the product; product, softmax and sum are in float32, and only
the result is rounded to float16, once.

Shapes: q (..., Sq, D), k (..., Sk, D), v (..., Sk, Dv). Micikevicius et al. 2018, section 3.3: sums in float32.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def attention_fp16(q: Array, k: Array, v: Array) -> Array:
    """``softmax(q kᵀ / √D) v`` in the dtype of q, shape (..., Sq, Dv).

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v)
    wide_q, wide_k, wide_v = (x.astype(np.promote_types(q.dtype, np.float32)) for x in (q, k, v))
    logits = (wide_q / math.sqrt(q.shape[-1])) @ wide_k.swapaxes(-2, -1)
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    out: Array = (weights @ wide_v / weights.sum(-1, keepdims=True)).astype(q.dtype)
    return out


def _check(q: Array, k: Array, v: Array) -> None:
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
