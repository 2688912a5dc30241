"""Backward pass of attention by hand: five products and the backward pass of softmax.

Forward: S = Q Kᵀ / √d, P = softmax(S), O = P V. Backward, from the last line to the first:

- dV = Pᵀ dO and dP = dO Vᵀ, as for any product;
- dS = P ∘ (dP − D), D = rowsum(P ∘ dP) = rowsum(dO ∘ O): the softmax;
- dQ = dS K / √d and dK = dSᵀ Q / √d: the scale goes to both.

Shapes: q (..., Sq, D), k (..., Sk, D), v (..., Sk, Dv), d_out (..., Sq, Dv). Cost: O(Sq·Sk) memory for P and
dP, which FlashAttention recomputes tile by tile from the log-sum-exp. Dao et al. 2022, appendix B.2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def attention_backward(q: Tensor, k: Tensor, v: Tensor, d_out: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of ``softmax(q kᵀ / √D) v`` with respect to q, k and v, in their shapes and dtype.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v, d_out)
    dtype, wide = q.dtype, torch.promote_types(q.dtype, torch.float32)
    q, k, v, d_out = (x.to(wide) for x in (q, k, v, d_out))
    scale = 1 / math.sqrt(q.shape[-1])
    p = torch.softmax((q * scale) @ k.transpose(-2, -1), -1)
    dp = d_out @ v.transpose(-2, -1)
    ds = p * (dp - (p * dp).sum(-1, keepdim=True))
    dq = ds @ k * scale
    dk = ds.transpose(-2, -1) @ q * scale
    dv = p.transpose(-2, -1) @ d_out
    return dq.to(dtype), dk.to(dtype), dv.to(dtype)


def _check(q: Tensor, k: Tensor, v: Tensor, d_out: Tensor) -> None:
    for name, x in (("q", q), ("k", k), ("v", v), ("d_out", d_out)):
        if x.ndim < 2 or 0 in x.shape or not x.is_floating_point() or x.dtype != q.dtype:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (..., seq, dim) without a 0"
            )
    if k.shape[:-2] != q.shape[:-2] or k.shape[-1] != q.shape[-1]:
        raise ValueError(f"k: shape {tuple(k.shape)}, expected that of q {tuple(q.shape)} but for its length")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected that of k {tuple(k.shape)} but for its last dim")
    if d_out.shape != (*q.shape[:-1], v.shape[-1]):
        raise ValueError(f"d_out: shape {tuple(d_out.shape)}, expected {(*q.shape[:-1], v.shape[-1])}")
