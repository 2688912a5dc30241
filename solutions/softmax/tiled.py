"""Online softmax: maximum and sum in one pass over blocks.

Idea: keep the maximum m and the sum ℓ of exp(x − m) of what was seen. When a block raises the maximum to m',
the old sum is corrected by a factor: ℓ' = ℓ · exp(m − m') + Σ exp(x − m'). At the end p = exp(x − m) / ℓ:
exact, not an approximation. This is the step that lets FlashAttention see each block of scores once (its
``lse`` is m + log ℓ).

Shapes: any ``x``; the result has its shape and dtype. Cost: O(n) time, two passes over ``x`` instead of
three; beyond the result, memory for one block. Milakov & Gimelshein 2018, "Online normalizer calculation for
softmax", algorithm 3.
"""

from __future__ import annotations

import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1, block_size: int = 64) -> Tensor:
    """Softmax of ``x`` along ``dim`` by blocks; a slice that is −inf everywhere gives 0.

    Raises:
        ValueError: ``x`` is not floating, has no entry along ``dim``, or ``block_size`` is below 1.
    """
    if not x.is_floating_point():
        raise ValueError(f"x: {x.dtype} of shape {tuple(x.shape)}, expected a floating dtype")
    if not -x.ndim <= dim < x.ndim or x.shape[dim] == 0:
        raise ValueError(f"x: shape {tuple(x.shape)}, expected at least one entry along dim {dim}")
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    wide = torch.promote_types(x.dtype, torch.float32)
    blocks = torch.split(x, block_size, dim)
    peak = torch.full_like(blocks[0].narrow(dim, 0, 1), -torch.inf, dtype=wide)
    total = torch.zeros_like(peak)
    shift = total
    for block in blocks:
        higher = torch.maximum(peak, block.detach().to(wide).amax(dim, keepdim=True))
        # As long as all was −inf, shift by 0: −inf − (−inf) would be NaN.
        shift = higher.masked_fill(higher == -torch.inf, 0.0)
        total = total * torch.exp(peak - shift) + torch.exp(block.to(wide) - shift).sum(dim, keepdim=True)
        peak = higher
    total = total.masked_fill(total == 0, 1.0)
    return torch.cat([(torch.exp(block.to(wide) - shift) / total).to(x.dtype) for block in blocks], dim)
