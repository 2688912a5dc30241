"""Backward pass of softmax in numpy: dS = P ∘ (dP − rowsum(P ∘ dP)).

Idea: as in ``stable.py``: the Jacobian diag(p) − p pᵀ of a row, multiplied by dp, leaves one sum a row.

Shapes: ``p`` and ``dp`` (..., n); the result has their shape. Cost: O(n) a row. float16 is computed in float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def softmax_backward(p: Array, dp: Array) -> Array:
    """Gradient with respect to the logits of ``p = softmax(s)`` over the last axis.

    Raises:
        ValueError: Shapes or dtypes differ, or ``p`` is not floating, or empty.
    """
    if p.ndim == 0 or 0 in p.shape or not np.issubdtype(p.dtype, np.floating):
        raise ValueError(f"p: {p.dtype} of shape {p.shape}, expected floating, (..., n) without a 0")
    if dp.shape != p.shape or dp.dtype != p.dtype:
        raise ValueError(f"dp: {dp.dtype} of shape {dp.shape}, expected those of p: {p.dtype} of shape {p.shape}")
    wide = np.promote_types(p.dtype, np.float32)
    weights, gradient = p.astype(wide), dp.astype(wide)
    row = (weights * gradient).sum(-1, keepdims=True)
    ds: Array = (weights * (gradient - row)).astype(p.dtype)
    return ds
