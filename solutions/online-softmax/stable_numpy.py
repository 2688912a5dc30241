"""Softmax in numpy whose maximum and denominator come from one pass over blocks.

Idea: as in ``stable.py``: when a block raises the maximum from m to m', what was summed before is multiplied by
exp(m − m'). As long as all that was seen is −inf, 0 is subtracted instead.

Shapes: x (..., N). Cost: O(N) time, O(block) memory besides the result. Milakov and Gimelshein 2018, algorithm 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def online_softmax(x: Array, block_size: int) -> Array:
    """Softmax over the last axis.

    Raises:
        ValueError: ``block_size`` is below 1, or ``x`` is not floating, or empty.
    """
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    if x.ndim == 0 or 0 in x.shape or not np.issubdtype(x.dtype, np.floating):
        raise ValueError(f"x: {x.dtype} of shape {x.shape}, expected floating, (..., N) without a 0")
    wide = np.promote_types(x.dtype, np.float32)
    peak = np.full((*x.shape[:-1], 1), -np.inf, wide)
    total = np.zeros_like(peak)
    for start in range(0, x.shape[-1], block_size):
        block = x[..., start : start + block_size].astype(wide)
        higher = np.maximum(peak, block.max(-1, keepdims=True))
        shift = _finite(higher)
        total = total * np.exp(peak - shift) + np.exp(block - shift).sum(-1, keepdims=True)
        peak = higher
    weights = np.exp(x.astype(wide) - _finite(peak)) / np.where(total == 0, wide.type(1), total)
    result: Array = weights.astype(x.dtype)
    return result


def _finite(peak: Array) -> Array:
    """What is subtracted: the maximum, or 0 where nothing but −inf was seen."""
    return np.where(peak == -np.inf, peak.dtype.type(0), peak)
