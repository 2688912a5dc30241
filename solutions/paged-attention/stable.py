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


def paged_attention(q: Tensor, k_cache: Tensor, v_cache: Tensor, block_table: Tensor, context_lens: Tensor) -> Tensor:
    """Attention of one query token for each sequence over its pages, ``(B, H, D)``.

    Raises:
        ValueError: Shapes do not fit, or a length is outside what the table holds.
    """
    batch, heads, dim = q.shape
    _, size, kv_heads, _ = k_cache.shape
    if k_cache.shape[-1] != dim or v_cache.shape[:-1] != k_cache.shape[:-1] or heads % kv_heads:
        raise ValueError(
            f"k_cache: shape {tuple(k_cache.shape)}, v_cache: {tuple(v_cache.shape)}, "
            f"expected (blocks, block_size, Hkv, {dim}) with Hkv a divisor of {heads}"
        )
    if block_table.shape[:1] != (batch,) or context_lens.shape != (batch,):
        raise ValueError(f"block_table: shape {tuple(block_table.shape)}, expected ({batch}, max_blocks)")
    slots = block_table.shape[1] * size
    if not 1 <= int(context_lens.min()) <= int(context_lens.max()) <= slots:
        raise ValueError(f"context_lens: {context_lens.tolist()}, expected 1 to {slots}")
    wide = torch.promote_types(q.dtype, torch.float32)
    keys, values = (cache[block_table.long()].flatten(1, 2).to(wide) for cache in (k_cache, v_cache))
    grouped = q.to(wide).view(batch, kv_heads, heads // kv_heads, dim) / math.sqrt(dim)
    scores = torch.einsum("bhgd,bnhd->bhgn", grouped, keys)
    hidden = torch.arange(slots, device=q.device) >= context_lens[:, None]
    weights = torch.softmax(scores.masked_fill(hidden[:, None, None], -torch.inf), -1)
    return torch.einsum("bhgn,bnhd->bhgd", weights, values).flatten(1, 2).to(q.dtype)
