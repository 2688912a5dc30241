"""Attention with linear biases, in float64.

Source: Press et al., "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation", 2022,
section 3; the slopes for other numbers of heads than powers of two are those of the authors' code.
"""

from __future__ import annotations

import numpy as np

from interview_coach.arrays import Array
from interview_coach.oracles.attention import attention


def alibi_slopes(heads: int, *, interpolated: bool = True) -> Array:
    """Slopes ``(heads,)``: ``2 ** (-8 (h + 1) / heads)`` for heads a power of two.

    Args:
        heads: Number of heads, at least 1.
        interpolated: For other numbers, take the slopes of the power of two below, then every second one of twice as
            many; otherwise the formula as it stands.
    """
    whole = 1 << (heads.bit_length() - 1)
    if whole == heads or not interpolated:
        return np.asarray(2.0 ** (-8.0 * np.arange(1, heads + 1) / heads), np.float64)
    between = alibi_slopes(2 * whole)[::2]
    return np.concatenate([alibi_slopes(whole), between[: heads - whole]])


def alibi_attention(query: Array, key: Array, value: Array) -> Array:
    """Causal attention with a penalty on the logits that grows with the distance, by a slope of its own for each head.

    Args:
        query: ``(B, H, Sq, D)``; query i stands at position ``i + Sk - Sq``.
        key: ``(B, H, Sk, D)``.
        value: ``(B, H, Sk, Dv)``.
    """
    heads, queries, keys = query.shape[1], query.shape[-2], key.shape[-2]
    distance = np.arange(queries)[:, None] + keys - queries - np.arange(keys)
    bias = -alibi_slopes(heads)[:, None, None] * distance
    return attention(query, key, value, bias, causal=True)
