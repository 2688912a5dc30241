"""Multi-head attention, one head after the other, in the functional form.

Idea: head h projects x with its own columns of W_q, W_k and W_v, attends by itself, and the heads' outputs
are put side by side and mixed by W_o. The scale is 1/√(d_model / n_heads): the dot products of a head run
over its own channels only.

**Not stable**: exp is taken of the bare scores. ``stable.py`` subtracts the maximum and computes all heads in
one product.

Shapes: x (B, S, C), weights (C, C) multiplied from the right, to (B, S, C). Cost: 8·S·C² + 4·S²·C FLOPs a
sample for any number of heads, O(n_heads·S²) memory. Vaswani et al. 2017, section 3.2.2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def multi_head_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Tensor | None = None
) -> Tensor:
    """Self-attention of ``x`` with ``n_heads`` heads; a query with nothing to attend to gives 0 before ``w_o``.

    Args:
        x: ``(B, S, C)``.
        w_q: ``(C, C)``; head h owns the columns ``h*D .. h*D+D-1``, D = C / n_heads. ``w_k`` and ``w_v`` likewise.
        w_o: ``(C, C)``.
        n_heads: Number of heads.
        mask: Broadcastable to ``(B, n_heads, S, S)``: boolean, True = may attend, or floating, added to the scores.
    """
    batch, length, width = x.shape
    dim = width // n_heads
    if mask is not None:
        mask = mask.expand(batch, n_heads, length, length)
    outputs = []
    for h in range(n_heads):
        own = slice(h * dim, (h + 1) * dim)
        q, k, v = x @ w_q[:, own], x @ w_k[:, own], x @ w_v[:, own]
        scores = q @ k.transpose(-2, -1) / math.sqrt(dim)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, h], -torch.inf) if mask.dtype == torch.bool else scores + mask[:, h]
        weights = torch.exp(scores)
        total = weights.sum(-1, keepdim=True)
        outputs.append((weights / total.masked_fill(total == 0, 1.0)).to(x.dtype) @ v)
    return torch.cat(outputs, -1) @ w_o
