"""One decoding step over a paged KV cache, in numpy.

Idea: as in ``stable.py``: gather the blocks of each sequence in the order of its table, hide the slots from
context_lens on, and attend as usual, with an axis of its own for the query heads that share a key/value head.

Shapes: q (B, H, D), caches (blocks, block_size, Hkv, D), block_table (B, M), context_lens (B,). Kwon et al. 2023,
section 4.1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
CACHE = "(blocks, block_size, Hkv, D)"


def paged_attention(q: Array, k_cache: Array, v_cache: Array, block_table: Array, context_lens: Array) -> Array:
    """Attention of one query token for each sequence over its pages, ``(B, H, D)``.

    Raises:
        ValueError: Shapes or dtypes do not fit, or a block or a length is outside what there is.
    """
    _check(q, k_cache, v_cache, block_table, context_lens)
    (batch, heads, dim), kv_heads = q.shape, k_cache.shape[2]
    slots = block_table.shape[1] * k_cache.shape[1]
    wide = np.promote_types(q.dtype, np.float32)
    keys, values = (cache[block_table].reshape(batch, slots, kv_heads, -1).astype(wide) for cache in (k_cache, v_cache))
    grouped = (q.astype(wide) / math.sqrt(dim)).astype(wide).reshape(batch, kv_heads, heads // kv_heads, dim)
    scores = np.einsum("bhgd,bnhd->bhgn", grouped, keys)
    hidden = np.arange(slots) >= context_lens[:, None]
    scores = np.where(hidden[:, None, None], wide.type(-np.inf), scores)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    out: Array = np.einsum("bhgn,bnhd->bhgd", weights, values).reshape(batch, heads, -1).astype(q.dtype)
    return out


def _check(q: Array, k_cache: Array, v_cache: Array, block_table: Array, context_lens: Array) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x, shape in (("q", q, "(B, H, D)"), ("k_cache", k_cache, CACHE), ("v_cache", v_cache, CACHE)):
        fits = x.ndim == shape.count(",") + 1 and 0 not in x.shape
        if not fits or not np.issubdtype(x.dtype, np.floating) or x.dtype != q.dtype:
            wanted = q.dtype if np.issubdtype(q.dtype, np.floating) else "a floating dtype"
            raise ValueError(f"{name}: {x.dtype} of shape {x.shape}, expected {wanted} of shape {shape} without a 0")
    (batch, heads, dim), (blocks, size, kv_heads, _) = q.shape, k_cache.shape
    if k_cache.shape[-1] != dim or heads % kv_heads:
        raise ValueError(f"k_cache: shape {k_cache.shape}, expected (blocks, block_size, a divisor of {heads}, {dim})")
    if v_cache.shape[:-1] != k_cache.shape[:-1]:
        raise ValueError(
            f"v_cache: shape {v_cache.shape}, expected that of k_cache {k_cache.shape} but for its last dim"
        )
    for name, x, ndim in (("block_table", block_table, 2), ("context_lens", context_lens, 1)):
        fits = x.ndim == ndim and 0 not in x.shape and x.shape[0] == batch
        if not fits or not np.issubdtype(x.dtype, np.integer):
            raise ValueError(f"{name}: {x.dtype} of shape {x.shape}, expected integers, ({batch}, M) and ({batch},)")
    if not 0 <= block_table.min() <= block_table.max() < blocks:
        raise ValueError(f"block_table: {block_table.tolist()}, expected blocks from 0 to {blocks - 1}")
    slots = block_table.shape[1] * size
    if not 1 <= context_lens.min() <= context_lens.max() <= slots:
        raise ValueError(f"context_lens: {context_lens.tolist()}, expected lengths from 1 to {slots}")
