"""Scaled dot-product attention, written as the formula: softmax(Q Kᵀ / √d) V.

Idea: every query is compared with every key by a dot product; exp turns the scores into positive weights,
which are divided by their sum and average the values. 1/√d keeps the scores of independent unit-variance
entries at variance 1.

**Not stable**: exp is taken of the bare scores. In fp32 a score above 88.72 overflows (inf / inf = NaN), and
a row of scores below −104 underflows to 0. ``stable.py`` subtracts the maximum of each row.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv); any leading dims. Cost:
2·Sq·Sk·(D + Dv) FLOPs a head, O(Sq·Sk) memory. Vaswani et al. 2017, "Attention Is All You Need", section
3.2.1, equation (1).
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Attention of ``q`` over ``k`` and ``v``; a query with nothing to attend to gives 0.

    Args:
        q: ``(..., Sq, D)``.
        k: ``(..., Sk, D)``.
        v: ``(..., Sk, Dv)``.
        mask: Broadcastable to ``(..., Sq, Sk)``: boolean, True = may attend, or floating, added to the scores.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask
    weights = torch.exp(scores)
    total = weights.sum(-1, keepdim=True)
    # A fully masked row has the sum 0: divided by 1 instead, it gives 0 and not NaN.
    return ((weights / total.masked_fill(total == 0, 1.0)) @ v.to(weights.dtype)).to(q.dtype)
