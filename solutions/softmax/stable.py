"""Stable softmax: subtract the maximum first.

Idea: softmax(x) = softmax(x − c) for every constant c, since exp(−c) cancels. With c = max(x) no exponent is
above 0, so exp is at most 1, and the sum is at least 1: nothing overflows, and there is nothing to divide by
0.

Two details that an interviewer asks for next:

- a slice that is −inf everywhere has the maximum −inf, and −inf − (−inf) is NaN: 0 is subtracted there
  instead, and the sum 0 is replaced by 1, which gives 0 and finite gradients;
- half precision is computed in fp32, since a sum of many terms loses bits there.

Shapes: any ``x``; the result has its shape and dtype. Cost: O(n) time and memory, three passes (maximum, sum,
division); ``tiled.py`` needs two.
"""

from __future__ import annotations

import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """Softmax of ``x`` along ``dim``; a slice that is −inf everywhere gives 0.

    Raises:
        ValueError: ``x`` is not floating, or has no entry along ``dim``.
    """
    if not x.is_floating_point():
        raise ValueError(f"x: {x.dtype} of shape {tuple(x.shape)}, expected a floating dtype")
    if not -x.ndim <= dim < x.ndim or x.shape[dim] == 0:
        raise ValueError(f"x: shape {tuple(x.shape)}, expected at least one entry along dim {dim}")
    logits = x.to(torch.promote_types(x.dtype, torch.float32))
    # The result does not depend on the shift, so no gradient has to flow through it.
    peak = logits.detach().amax(dim, keepdim=True)
    weights = torch.exp(logits - peak.masked_fill(peak == -torch.inf, 0.0))
    total = weights.sum(dim, keepdim=True)
    return (weights / total.masked_fill(total == 0, 1.0)).to(x.dtype)
