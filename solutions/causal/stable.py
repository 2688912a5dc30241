"""Causal attention, stable in every dtype.

Idea: query i sees the keys j ≤ i + Sk − Sq: the triangle is aligned to the bottom right, so that the last
query sees all keys, as in decoding with a cache. The mask goes on the scores, before the softmax: zeroing
weights afterwards leaves rows that do not sum to 1, and has let the future into the sum. q is scaled before
the product, which matters in fp16; the softmax subtracts the maximum and runs in fp32 for half inputs.
Queries before the first key (Sq > Sk) give 0.

The mask is needed in training and in prefill alike; only a step that decodes one token with a cache can do
without.

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv); any leading dims. Cost:
2·Sq·Sk·(D + Dv) FLOPs a head, O(Sq·Sk) memory; ``tiled.py`` skips the masked half. Vaswani et al. 2017,
section 3.2.3.
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
    scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
    scores = scores.to(torch.promote_types(q.dtype, torch.float32))
    queries, keys = scores.shape[-2:]
    visible = torch.ones(queries, keys, dtype=torch.bool, device=q.device).tril(keys - queries)
    return _softmax(scores.masked_fill(~visible, -torch.inf)).to(v.dtype) @ v


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
        if x.ndim < 2 or 0 in x.shape or not x.is_floating_point() or x.dtype != q.dtype:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (..., seq, dim) without a 0"
            )
    if k.shape[:-2] != q.shape[:-2] or k.shape[-1] != q.shape[-1]:
        raise ValueError(f"k: shape {tuple(k.shape)}, expected that of q {tuple(q.shape)} but for its length")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected that of k {tuple(k.shape)} but for its last dim")
