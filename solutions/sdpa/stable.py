"""Scaled dot-product attention, stable in every dtype: softmax(Q Kᵀ / √d) V.

Idea: as the formula says, with the four things that keep it right on real inputs:

- q is scaled before the product, so Q Kᵀ stays below 65504 in fp16 for √d times larger inputs;
- the maximum of each row is subtracted, so exp is at most 1 and the sum at least 1;
- the softmax runs in fp32 for half inputs, the matmuls in the given dtype;
- masked scores are −inf, and a row with nothing to attend to is guarded: it gives 0, with finite gradients.
  (−1e9 would make it the mean of all values, and does not exist in fp16.)

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv); any leading dims. Cost:
2·Sq·Sk·(D + Dv) FLOPs a head, O(Sq·Sk) memory for scores and weights; ``tiled.py`` needs O(Sq + Sk). Vaswani
et al. 2017, section 3.2.1.
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
    scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
    scores = scores.to(torch.promote_types(q.dtype, torch.float32))
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask
    return _softmax(scores).to(v.dtype) @ v


def _softmax(scores: Tensor) -> Tensor:
    """Softmax over the last dim; a row that is −inf everywhere gives 0."""
    # The result does not depend on the shift, so no gradient has to flow through it.
    peak = scores.detach().amax(-1, keepdim=True)
    weights = torch.exp(scores - peak.masked_fill(peak == -torch.inf, 0.0))
    total = weights.sum(-1, keepdim=True)
    return weights / total.masked_fill(total == 0, 1.0)


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
