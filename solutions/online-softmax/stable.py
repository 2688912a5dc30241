"""Softmax whose maximum and denominator come from one pass over blocks.

Idea: after some blocks, m is their maximum and l = Σ exp(x − m). A block with a larger maximum m' changes the
reference: l becomes l · exp(m − m') plus the block's own Σ exp(x − m'). At the end exp(x − m) / l is the
softmax of the whole row. The same step, with the output rescaled beside l, is FlashAttention.

As long as everything seen is −inf, so is m, and −inf − (−inf) is NaN: 0 is subtracted instead. A row of only
−inf gives 0.

Shapes: x (..., N). Cost: O(N) time, O(block) memory besides the result. Milakov and Gimelshein 2018, algorithm
3.
"""

from __future__ import annotations

import torch
from torch import Tensor


def online_softmax(x: Tensor, block_size: int) -> Tensor:
    """Softmax over the last dim.

    Raises:
        ValueError: ``block_size`` is below 1, or ``x`` is not floating or empty along the last dim.
    """
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    if x.ndim == 0 or 0 in x.shape or not x.is_floating_point():
        raise ValueError(f"x: {x.dtype} of shape {tuple(x.shape)}, expected floating, (..., N) without a 0")
    logits = x.to(torch.promote_types(x.dtype, torch.float32))
    peak = torch.full_like(logits[..., :1], -torch.inf)
    total = torch.zeros_like(peak)
    for block in logits.split(block_size, -1):
        # The result does not depend on the maximum, so no gradient has to flow through it.
        new_peak = torch.maximum(peak, block.detach().amax(-1, keepdim=True))
        shift = _finite(new_peak)
        total = total * torch.exp(peak - shift) + torch.exp(block - shift).sum(-1, keepdim=True)
        peak = new_peak
    return (torch.exp(logits - _finite(peak)) / total.masked_fill(total == 0, 1.0)).to(x.dtype)


def _finite(peak: Tensor) -> Tensor:
    """The maximum, 0 where nothing but −inf was seen."""
    return peak.masked_fill(peak == -torch.inf, 0.0)
