"""Causal attention, written as the formula: the future is masked with −inf before the softmax.

Idea: query i may attend to the keys up to its own position. With fewer queries than keys (decoding with a
cache) the last query stands at the last key, so the triangle is aligned to the bottom right: j ≤ i + Sk − Sq.
``torch.tril`` alone aligns to the top left, which is wrong as soon as Sq ≠ Sk.

**Not stable**: exp is taken of the bare scores, so a score above 88.72 overflows in fp32. ``stable.py``
subtracts the maximum.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv); any leading dims. Cost:
2·Sq·Sk·(D + Dv) FLOPs a head (half of them for nothing), O(Sq·Sk) memory. Vaswani et al. 2017, section 3.2.3.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Attention of each query over the keys up to its position; a query before the first key gives 0.

    Args:
        q: ``(..., Sq, D)``.
        k: ``(..., Sk, D)``.
        v: ``(..., Sk, Dv)``.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    queries, keys = scores.shape[-2:]
    visible = torch.ones(queries, keys, dtype=torch.bool, device=q.device).tril(keys - queries)
    weights = torch.exp(scores.masked_fill(~visible, -torch.inf))
    total = weights.sum(-1, keepdim=True)
    return weights / total.masked_fill(total == 0, 1.0) @ v


def _check(q: Tensor, k: Tensor, v: Tensor) -> None:
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
