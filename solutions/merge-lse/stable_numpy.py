"""Merging attention over two disjoint sets of keys, in numpy.

Idea: as in ``stable.py``: each part counts by exp(lse), its sum of exponentials, with the larger of the two
subtracted first. A part without keys has lse −inf and counts nothing; two such parts give 0 and −inf.

Shapes: out (..., S, D), lse (..., S). Cost: O(S·D). Dao et al. 2022, section 3.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def merge_attention(out_a: Array, lse_a: Array, out_b: Array, lse_b: Array) -> tuple[Array, Array]:
    """``(out, lse)`` over the keys of both parts.

    Raises:
        ValueError: Shapes do not fit, or something is not floating.
    """
    rows = out_a.shape[:-1]
    for name, x, shape in (
        ("out_a", out_a, out_a.shape),
        ("lse_a", lse_a, rows),
        ("out_b", out_b, out_a.shape),
        ("lse_b", lse_b, rows),
    ):
        if x.shape != shape or x.ndim == 0 or 0 in shape or not np.issubdtype(x.dtype, np.floating):
            raise ValueError(
                f"{name}: {x.dtype} of shape {x.shape}, expected floating, {shape} without a 0, "
                f"to go with out_a {out_a.shape}"
            )
    wide = np.promote_types(out_a.dtype, np.float32)
    a, b = lse_a.astype(wide), lse_b.astype(wide)
    peak = np.maximum(a, b)
    peak = np.where(peak == -np.inf, wide.type(0), peak)
    weight_a, weight_b = np.exp(a - peak), np.exp(b - peak)
    total = weight_a + weight_b
    share = 1 / np.where(total == 0, wide.type(1), total)
    out = (weight_a * share)[..., None] * out_a + (weight_b * share)[..., None] * out_b
    with np.errstate(divide="ignore"):
        lse = peak + np.log(total)
    return out.astype(out_a.dtype), lse.astype(lse_a.dtype)
