"""Merging attention over disjoint sets of keys, in the precision of its inputs.

Source: Dao et al., "FlashAttention", 2022, section 3.1 and appendix B; as one step of split-KV decoding in
"Flash-Decoding", 2023.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def merge_attention(out_a: Array, lse_a: Array, out_b: Array, lse_b: Array) -> tuple[Array, Array]:
    """Attention over the union of two sets of keys, from the results over each.

    Args:
        out_a, out_b: ``(..., S, D)``, normalised within their own keys.
        lse_a, lse_b: ``(..., S)``, natural log of the sum of exp of the scaled logits; ``-inf`` for no keys.

    Returns:
        The output, ``(..., S, D)``, and its log-sum-exp, ``(..., S)``. Two empty sets give 0 and ``-inf``.
    """
    peak = np.maximum(lse_a, lse_b)
    shift = np.where(np.isfinite(peak), peak, 0).astype(lse_a.dtype)
    a, b = np.exp(lse_a - shift), np.exp(lse_b - shift)
    total = a + b
    inverse = np.divide(1, total, out=np.zeros_like(total), where=total > 0)
    out = (a * inverse)[..., None] * out_a + (b * inverse)[..., None] * out_b
    with np.errstate(divide="ignore"):
        return out, shift + np.log(total)
