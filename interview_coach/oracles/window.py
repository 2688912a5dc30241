"""Causal attention over a sliding window, in float64.

Sources: Beltagy et al., "Longformer", 2020, section 3.1; Jiang et al., "Mistral 7B", 2023, section 2.
"""

from __future__ import annotations

import numpy as np

from interview_coach.arrays import Array
from interview_coach.oracles.attention import attention, causal_mask


def window_mask(queries: int, keys: int, window: int) -> Array:
    """Boolean ``(queries, keys)``: query i, at ``p = i + keys - queries``, sees keys ``p - window + 1 .. p``."""
    position = np.arange(queries)[:, None] + keys - queries
    recent: Array = np.arange(keys) > position - window
    return causal_mask(queries, keys) & recent


def sliding_window_attention(query: Array, key: Array, value: Array, window: int) -> Array:
    """Attention with :func:`window_mask`.

    Args:
        query: ``(B, H, Sq, D)``.
        key: ``(B, H, Sk, D)``.
        value: ``(B, H, Sk, Dv)``.
        window: Keys that a query sees, itself included; at least 1.
    """
    return attention(query, key, value, window_mask(query.shape[-2], key.shape[-2], window))
