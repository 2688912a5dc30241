"""Causal attention with linear biases (ALiBi), stable in every dtype.

Idea: no position embedding; the score of a pair falls by slope · distance, and each head has its own slope, a
geometric sequence from 2^(−8/H) down to 2^(−8). Steep heads look near, flat ones far. Three things to get right:
the bias is negative (far keys lose), it is added to scores that are scaled already (the slopes know nothing of
√D), and head h counted from 0 has the exponent −8(h + 1)/H. A bias that depends on the query alone drops out of
the softmax, so slope · j does as well as slope · (j − i); the distance keeps the numbers small, which matters in
half precision. Queries stand at the end of the keys (bottom right), those before the first key give 0.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv). Cost: that of causal attention; the
bias takes H·Sq·Sk here and nothing in a kernel that adds it tile by tile. Press et al. 2022, section 3.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def alibi_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Attention of each query over the keys up to its position, with a penalty on their distance.

    Args:
        q: ``(B, H, Sq, D)``.
        k: ``(B, H, Sk, D)``.
        v: ``(B, H, Sk, Dv)``.

    Raises:
        ValueError: Shapes or dtypes do not fit, or H is no power of two.
    """
    _check(q, k, v)
    queries, keys = q.shape[2], k.shape[2]
    wide = torch.promote_types(q.dtype, torch.float32)
    position = torch.arange(queries, device=q.device)[:, None] + keys - queries
    distance = position - torch.arange(keys, device=q.device)
    scores = ((q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)).to(wide)
    scores = scores - slopes(q.shape[1]).to(scores)[:, None, None] * distance
    return _softmax(scores.masked_fill(distance < 0, -torch.inf)).to(v.dtype) @ v


def slopes(heads: int) -> Tensor:
    """``2 ** (-8 (h + 1) / heads)`` for h from 0, in float64."""
    return 2.0 ** (-8.0 * torch.arange(1, heads + 1, dtype=torch.float64) / heads)


def _softmax(scores: Tensor) -> Tensor:
    """Softmax over the last dim; a row that is −inf everywhere gives 0."""
    # The result does not depend on the shift, so no gradient has to flow through it.
    peak = scores.detach().amax(-1, keepdim=True)
    weights = torch.exp(scores - peak.masked_fill(peak == -torch.inf, 0.0))
    total = weights.sum(-1, keepdim=True)
    return weights / total.masked_fill(total == 0, 1.0)


def _check(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim != 4 or 0 in x.shape or not x.is_floating_point() or x.dtype != q.dtype:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    if k.shape[:2] != q.shape[:2] or k.shape[3] != q.shape[3]:
        raise ValueError(f"k: shape {tuple(k.shape)}, expected that of q {tuple(q.shape)} but for its length")
    if v.shape[:3] != k.shape[:3]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected that of k {tuple(k.shape)} but for its last dim")
    if q.shape[1] & (q.shape[1] - 1):
        raise ValueError(f"q: {q.shape[1]} heads in shape {tuple(q.shape)}, expected a power of two")
