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

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v, mask)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask
    weights = torch.exp(scores)
    total = weights.sum(-1, keepdim=True)
    # A fully masked row has the sum 0: divided by 1 instead, it gives 0 and not NaN.
    return ((weights / total.masked_fill(total == 0, 1.0)) @ v.to(weights.dtype)).to(q.dtype)


def _check(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim < 2 or 0 in x.shape or not x.is_floating_point() or x.dtype != q.dtype:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (..., seq, dim) without a 0"
            )
    if k.shape[:-2] != q.shape[:-2] or k.shape[-1] != q.shape[-1]:
        raise ValueError(f"k: shape {tuple(k.shape)}, expected that of q {tuple(q.shape)} but for its length")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected that of k {tuple(k.shape)} but for its last dim")
    if mask is None:
        return
    scores = (*q.shape[:-1], k.shape[-2])
    if mask.dtype != torch.bool and not mask.is_floating_point():
        raise ValueError(
            f"mask: {mask.dtype} of shape {tuple(mask.shape)}, expected bool (True = may attend) or floating (added)"
        )
    sizes = zip(reversed(mask.shape), reversed(scores), strict=False)
    if mask.ndim > len(scores) or any(size not in (1, wanted) for size, wanted in sizes):
        raise ValueError(f"mask: shape {tuple(mask.shape)}, expected one that broadcasts to the scores {scores}")
