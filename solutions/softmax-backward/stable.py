"""Backward pass of softmax: dS = P ∘ (dP − rowsum(P ∘ dP)).

Idea: the Jacobian of one row is diag(p) − p pᵀ. Multiplied by dp, the matrix is gone: p ∘ dp − p (p · dp). Each
row needs one number, the sum of p ∘ dp; its meaning is that adding a constant to dp changes nothing, since the
rows of p add up to 1.

Shapes: ``p`` and ``dp`` (..., n); the result has their shape. Cost: O(n) a row; the Jacobian would be O(n²).
Half precision is computed in fp32: the difference of two nearly equal numbers loses bits.
"""

from __future__ import annotations

import torch
from torch import Tensor


def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    """Gradient with respect to the logits of ``p = softmax(s, -1)``, from the gradient with respect to ``p``.

    Raises:
        ValueError: Shapes or dtypes differ, or ``p`` is not floating, or empty.
    """
    if p.ndim == 0 or 0 in p.shape or not p.is_floating_point():
        raise ValueError(f"p: {p.dtype} of shape {tuple(p.shape)}, expected floating, (..., n) without a 0")
    if dp.shape != p.shape or dp.dtype != p.dtype:
        raise ValueError(
            f"dp: {dp.dtype} of shape {tuple(dp.shape)}, expected those of p: {p.dtype} of shape {tuple(p.shape)}"
        )
    wide = torch.promote_types(p.dtype, torch.float32)
    weights, gradient = p.to(wide), dp.to(wide)
    row = (weights * gradient).sum(-1, keepdim=True)
    return (weights * (gradient - row)).to(p.dtype)
