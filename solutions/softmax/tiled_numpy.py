"""Online softmax in numpy: maximum and sum in one pass over blocks.

Idea: keep the maximum m and the sum ℓ of exp(x − m) of what was seen; a block that raises the maximum to m'
rescales the old sum: ℓ' = ℓ · exp(m − m') + Σ exp(x − m'). At the end p = exp(x − m) / ℓ, exactly.

Shapes: any ``x``; the result has its shape and dtype. Cost: O(n) time, two passes over ``x``; beyond the
result, memory for one block. Milakov & Gimelshein 2018, algorithm 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def softmax(x: NDArray[Any], axis: int = -1, block_size: int = 64) -> NDArray[Any]:
    """Softmax of ``x`` along ``axis`` by blocks; a slice that is −inf everywhere gives 0.

    Raises:
        ValueError: ``x`` is not floating, has no entry along ``axis``, or ``block_size`` is below 1.
    """
    if not np.issubdtype(x.dtype, np.floating):
        raise ValueError(f"x: {x.dtype} of shape {x.shape}, expected a floating dtype")
    if not -x.ndim <= axis < x.ndim or x.shape[axis] == 0:
        raise ValueError(f"x: shape {x.shape}, expected at least one entry along axis {axis}")
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    wide = np.promote_types(x.dtype, np.float32)
    rows = np.moveaxis(x, axis, -1)
    out = np.empty(rows.shape, x.dtype)
    peak = np.full((*rows.shape[:-1], 1), -np.inf, wide)
    total = np.zeros_like(peak)
    shift = total
    starts = range(0, rows.shape[-1], block_size)
    for j in starts:
        block = rows[..., j : j + block_size].astype(wide)
        higher = np.maximum(peak, block.max(-1, keepdims=True))
        # As long as all was −inf, shift by 0: −inf − (−inf) would be NaN.
        shift = np.where(higher == -np.inf, 0, higher)
        total = total * np.exp(peak - shift) + np.exp(block - shift).sum(-1, keepdims=True)
        peak = higher
    total = np.where(total == 0, 1, total)
    for j in starts:
        out[..., j : j + block_size] = np.exp(rows[..., j : j + block_size].astype(wide) - shift) / total
    return np.moveaxis(out, -1, axis)
