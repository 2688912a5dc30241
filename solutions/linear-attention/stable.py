"""Linear attention: φ(q) (φ(k)ᵀ v) / (φ(q) · Σ φ(k)), φ = elu + 1.

Idea: without exp between the products they are associative. φ(k)ᵀ v is D x Dv whatever the length, and serves
all queries: O(S·D·Dv) where softmax attention takes O(S²·D). φ is positive, so the normaliser never vanishes.

Causal: query i uses the sums up to i. Summing position by position needs S x D x Dv memory; here chunks are:
inside a chunk the masked C x C products, before it the sums of all earlier chunks. A chunk's own keys join the
sums only after it is done.

Shapes: q (..., Sq, D), k (..., Sk, D), v (..., Sk, Dv). Katharopoulos et al. 2020, equations (4) to (12).
"""

from __future__ import annotations

import torch
from torch import Tensor


def linear_attention(q: Tensor, k: Tensor, v: Tensor, causal: bool = False, chunk: int = 64) -> Tensor:
    """Linear attention of ``q`` over ``k`` and ``v``; with ``causal``, query i sees keys j <= i.

    Raises:
        ValueError: Shapes do not fit, or ``chunk`` is below 1.
    """
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
    if causal and q.shape[-2] != k.shape[-2]:
        raise ValueError(f"k: shape {tuple(k.shape)}, expected the length of q {tuple(q.shape)} with causal=True")
    if not isinstance(chunk, int) or chunk < 1:
        raise ValueError(f"chunk: {chunk!r}, expected an integer of at least 1")
    wide = torch.promote_types(q.dtype, torch.float32)
    fq, fk, values = _features(q.to(wide)), _features(k.to(wide)), v.to(wide)
    if not causal:
        return _normalised(fq @ (fk.transpose(-2, -1) @ values), fq @ fk.sum(-2).unsqueeze(-1)).to(q.dtype)
    state = fq.new_zeros(*q.shape[:-2], q.shape[-1], v.shape[-1])
    normaliser = fq.new_zeros(*q.shape[:-2], q.shape[-1], 1)
    parts = []
    for start in range(0, q.shape[-2], chunk):
        here = slice(start, start + chunk)
        qc, kc, vc = fq[..., here, :], fk[..., here, :], values[..., here, :]
        inside = (qc @ kc.transpose(-2, -1)).tril()
        parts.append(_normalised(inside @ vc + qc @ state, inside.sum(-1, keepdim=True) + qc @ normaliser))
        state = state + kc.transpose(-2, -1) @ vc
        normaliser = normaliser + kc.sum(-2).unsqueeze(-1)
    return torch.cat(parts, -2).to(q.dtype)


def _features(x: Tensor) -> Tensor:
    """elu(x) + 1."""
    return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))


def _normalised(numerator: Tensor, total: Tensor) -> Tensor:
    return numerator / total
