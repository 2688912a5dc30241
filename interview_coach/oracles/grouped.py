"""Grouped-query attention, in float64.

Source: Ainslie et al., "GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints", 2023,
section 2.2; one key/value head for all is multi-query attention: Shazeer, "Fast Transformer Decoding: One Write-Head is
All You Need", 2019, section 3.
"""

from __future__ import annotations

import numpy as np

from interview_coach.arrays import Array
from interview_coach.oracles.attention import softmax


def grouped_query_attention(query: Array, key: Array, value: Array) -> Array:
    """Attention in which each key/value head serves a run of query heads, without copies of it.

    Args:
        query: ``(B, Hq, Sq, D)``.
        key: ``(B, Hkv, Sk, D)``; Hkv divides Hq, and head h serves query heads ``h*g .. h*g+g-1``, ``g = Hq / Hkv``.
        value: ``(B, Hkv, Sk, Dv)``.
    """
    batch, heads, queries, dim = query.shape
    groups = query.reshape(batch, key.shape[1], -1, queries, dim)
    logits = groups @ key[:, :, None].swapaxes(-1, -2) * dim**-0.5
    out = softmax(logits) @ value[:, :, None]
    return np.reshape(out, (batch, heads, queries, value.shape[-1]))
