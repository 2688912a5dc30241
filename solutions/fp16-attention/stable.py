"""Attention in half precision, with what must not be done in half precision done in single.

fp16 ends at 65504 and has 11 bits. Three places need care:

- S = Q Kᵀ: 64 channels of 40 · 40 already pass 65504. The scale 1/√d goes onto q before the product, so that the
  largest number in sight is the logit itself; the product is in fp32 as well, and logits beyond 65504 stay finite.
- softmax: the maximum of each row is subtracted, exp is at most 1, and the sum runs in fp32.
- P V: the products are summed in fp32, and only the result is rounded to fp16, once.

Shapes: q (..., Sq, D), k (..., Sk, D), v (..., Sk, Dv). Micikevicius et al. 2018, section 3.3: sums in fp32.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def attention_fp16(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """``softmax(q kᵀ / √D) v`` in the dtype of q, shape (..., Sq, Dv).

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v)
    dtype = q.dtype
    q, k, v = q.float(), k.float(), v.float()
    logits = (q * (1 / math.sqrt(q.shape[-1]))) @ k.transpose(-2, -1)
    weights = torch.exp(logits - logits.amax(-1, keepdim=True))
    return ((weights @ v) / weights.sum(-1, keepdim=True)).to(dtype)


def _check(q: Tensor, k: Tensor, v: Tensor) -> None:
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
