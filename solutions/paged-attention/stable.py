"""One decoding step over a paged KV cache.

Idea: token j of sequence b lies in block block_table[b, j // block_size], slot j % block_size. Gather the
blocks of all sequences in the order of the table, hide the slots from context_lens on, and attend as usual. A
real kernel does not gather: it walks the table block by block with an online softmax.

Hidden slots hold garbage. Their scores become −inf, and their weights are exactly 0, which is enough as long as
the garbage is finite.

Shapes: q (B, H, D), caches (blocks, block_size, Hkv, D), block_table (B, M), context_lens (B,). Query head h·g
+ i shares key/value head h; the group is an axis of its own, so no key is copied for it. Kwon et al. 2023,
section 4.1.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

CACHE = "(blocks, block_size, Hkv, D)"
INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def paged_attention(q: Tensor, k_cache: Tensor, v_cache: Tensor, block_table: Tensor, context_lens: Tensor) -> Tensor:
    """Attention of one query token for each sequence over its pages, ``(B, H, D)``.

    Raises:
        ValueError: Shapes or dtypes do not fit, or a block or a length is outside what there is.
    """
    _check(q, k_cache, v_cache, block_table, context_lens)
    (batch, heads, dim), kv_heads = q.shape, k_cache.shape[2]
    slots = block_table.shape[1] * k_cache.shape[1]
    wide = torch.promote_types(q.dtype, torch.float32)
    keys, values = (cache[block_table.long()].flatten(1, 2).to(wide) for cache in (k_cache, v_cache))
    grouped = q.to(wide).view(batch, kv_heads, heads // kv_heads, dim) / math.sqrt(dim)
    scores = torch.einsum("bhgd,bnhd->bhgn", grouped, keys)
    hidden = torch.arange(slots, device=q.device) >= context_lens[:, None]
    weights = torch.softmax(scores.masked_fill(hidden[:, None, None], -torch.inf), -1)
    return torch.einsum("bhgn,bnhd->bhgd", weights, values).flatten(1, 2).to(q.dtype)


def _check(q: Tensor, k_cache: Tensor, v_cache: Tensor, block_table: Tensor, context_lens: Tensor) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    shapes = (("q", q, "(B, H, D)"), ("k_cache", k_cache, CACHE), ("v_cache", v_cache, CACHE))
    for name, x, shape in shapes:
        if x.ndim != shape.count(",") + 1 or 0 in x.shape or not x.is_floating_point() or x.dtype != q.dtype:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape {shape} without a 0"
            )
    (batch, heads, dim), (blocks, size, kv_heads, _) = q.shape, k_cache.shape
    if k_cache.shape[-1] != dim or heads % kv_heads:
        raise ValueError(
            f"k_cache: shape {tuple(k_cache.shape)}, expected (blocks, block_size, a divisor of {heads}, {dim})"
        )
    if v_cache.shape[:-1] != k_cache.shape[:-1]:
        raise ValueError(
            f"v_cache: shape {tuple(v_cache.shape)}, expected that of k_cache {tuple(k_cache.shape)} "
            "but for its last dim"
        )
    for name, x, ndim in (("block_table", block_table, 2), ("context_lens", context_lens, 1)):
        if x.ndim != ndim or 0 in x.shape or x.shape[0] != batch or x.dtype not in INTEGERS:
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected integers, ({batch}, M) and ({batch},)"
            )
    if not 0 <= int(block_table.min()) <= int(block_table.max()) < blocks:
        raise ValueError(f"block_table: {block_table.tolist()}, expected blocks from 0 to {blocks - 1}")
    slots = block_table.shape[1] * size
    if not 1 <= int(context_lens.min()) <= int(context_lens.max()) <= slots:
        raise ValueError(f"context_lens: {context_lens.tolist()}, expected lengths from 1 to {slots}")
