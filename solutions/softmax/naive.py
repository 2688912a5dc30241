"""Softmax as it is written on paper: exp(x) over its sum.

Idea: p_i = exp(x_i) / Σ_j exp(x_j). Right for small logits and **not stable**: in fp32 exp overflows above x
= 88.72 (in fp16 above 11.09), and inf / inf is NaN; a row far below 0 underflows to 0. ``stable.py`` differs
by one subtraction.

Shapes: any ``x``; the result has its shape and dtype, and sums to 1 along ``dim``. Cost: O(n) time and
memory, two passes.
"""

from __future__ import annotations

import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """Softmax of ``x`` along ``dim``, without care for large logits.

    Raises:
        ValueError: ``x`` is not floating, or has no entry along ``dim``.
    """
    if not x.is_floating_point():
        raise ValueError(f"x: {x.dtype} of shape {tuple(x.shape)}, expected a floating dtype")
    if not -x.ndim <= dim < x.ndim or x.shape[dim] == 0:
        raise ValueError(f"x: shape {tuple(x.shape)}, expected at least one entry along dim {dim}")
    weights = torch.exp(x)
    return weights / weights.sum(dim, keepdim=True)
