"""Attention over a sliding window with global tokens, and over a paged cache, in the precision of the inputs.

Sources: Beltagy et al., "Longformer", 2020, sections 3.1 (sliding window, global attention); Kwon et al., "Efficient
Memory Management for Large Language Model Serving with PagedAttention", 2023, section 4.1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from interview_coach.oracles.attention import softmax

Array = npt.NDArray[Any]


def longformer_mask(length: int, window: int, global_tokens: Array) -> npt.NDArray[np.bool_]:
    """Boolean ``(S, S)``: ``window`` keys on each side, and global tokens that see all and are seen by all."""
    i, j = np.arange(length)[:, None], np.arange(length)[None, :]
    is_global = np.isin(np.arange(length), global_tokens)
    allowed: npt.NDArray[np.bool_] = (np.abs(i - j) <= window) | is_global[:, None] | is_global[None, :]
    return allowed


def longformer_attention(query: Array, key: Array, value: Array, window: int, global_tokens: Array) -> Array:
    """Attention with :func:`longformer_mask`.

    Args:
        query, key: ``(B, H, S, D)``.
        value: ``(B, H, S, Dv)``.
        window: Keys seen on each side, besides the query's own.
        global_tokens: Positions, ``(G,)``.
    """
    logits = query @ np.swapaxes(key, -1, -2) * query.dtype.type(query.shape[-1] ** -0.5)
    allowed = longformer_mask(query.shape[-2], window, global_tokens)
    return softmax(np.where(allowed, logits, -np.inf).astype(query.dtype)) @ value


def paged_attention(query: Array, k_cache: Array, v_cache: Array, block_table: Array, context_lens: Array) -> Array:
    """One query token for each sequence over its keys in a paged cache.

    Args:
        query: ``(B, H, D)``.
        k_cache, v_cache: ``(blocks, block_size, Hkv, D)``; key/value head h serves query heads ``h*g .. h*g+g-1``.
        block_table: ``(B, max_blocks)``: the block that holds tokens ``j * block_size ..`` of a sequence.
        context_lens: ``(B,)``, at least 1: tokens of each sequence.

    Returns:
        ``(B, H, D)``.
    """
    heads, size = query.shape[1], k_cache.shape[1]
    group = heads // k_cache.shape[2]
    out = np.zeros((*query.shape[:2], v_cache.shape[-1]), query.dtype)
    for b, length in enumerate(context_lens):
        tokens = np.arange(length)
        where = block_table[b, tokens // size], tokens % size
        keys, values = (np.repeat(cache[where], group, axis=1) for cache in (k_cache, v_cache))
        logits = np.einsum("hd,nhd->hn", query[b], keys) * query.dtype.type(query.shape[-1] ** -0.5)
        out[b] = np.einsum("hn,nhd->hd", softmax(logits), values)
    return out
