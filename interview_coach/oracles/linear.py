"""Linear attention, in the precision of its inputs.

Source: Katharopoulos et al., "Transformers are RNNs", 2020, section 3.2, equations (4) to (7) with the feature map of
equation (7); causal: section 3.3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def feature_map(x: Array) -> Array:
    """``elu(x) + 1``: positive everywhere."""
    mapped: Array = np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    return mapped


def linear_attention(query: Array, key: Array, value: Array, *, causal: bool = False) -> Array:
    """``φ(q) (φ(k)ᵀ v)`` over ``φ(q) Σ φ(k)``; no scale.

    Args:
        query: ``(..., Sq, D)``.
        key: ``(..., Sk, D)``.
        value: ``(..., Sk, Dv)``.
        causal: Query i sees keys ``j <= i``; needs Sq = Sk.
    """
    q, k = feature_map(query), feature_map(key)
    if not causal:
        state = np.swapaxes(k, -1, -2) @ value
        normaliser = k.sum(-2)[..., None]
        out: Array = (q @ state) / (q @ normaliser)
        return out
    weights = q @ np.swapaxes(k, -1, -2) * np.tri(q.shape[-2], k.shape[-2], dtype=query.dtype)
    total: Array = (weights @ value) / weights.sum(-1, keepdims=True)
    return total
