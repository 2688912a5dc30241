"""Stable softmax in numpy: subtract the maximum first.

Idea: softmax(x) = softmax(x − max(x)), and then exp is at most 1 and its sum at least 1. A slice that is −inf
everywhere would be −inf − (−inf) = NaN: 0 is subtracted there, and 0 / 1 is the result. float16 is computed
in float32.

Shapes: any ``x``; the result has its shape and dtype. Cost: O(n) time and memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def softmax(x: NDArray[Any], axis: int = -1) -> NDArray[Any]:
    """Softmax of ``x`` along ``axis``; a slice that is −inf everywhere gives 0.

    Raises:
        ValueError: ``x`` is not floating, or has no entry along ``axis``.
    """
    if not np.issubdtype(x.dtype, np.floating):
        raise ValueError(f"x: {x.dtype} of shape {x.shape}, expected a floating dtype")
    if not -x.ndim <= axis < x.ndim or x.shape[axis] == 0:
        raise ValueError(f"x: shape {x.shape}, expected at least one entry along axis {axis}")
    logits = x.astype(np.promote_types(x.dtype, np.float32))
    peak = logits.max(axis, keepdims=True)
    weights = np.exp(logits - np.where(peak == -np.inf, 0, peak))
    total = weights.sum(axis, keepdims=True)
    out: NDArray[Any] = (weights / np.where(total == 0, 1, total)).astype(x.dtype)
    return out
