"""Multi-head attention as a module, stable in every dtype.

Idea: one projection for all heads, cut into heads by ``view`` and ``transpose``; all heads attend in one
batched product; their outputs are put side by side and mixed by the output projection. What goes wrong on a
whiteboard:

- ``view(B, H, S, D)`` at once mixes positions and channels: cut the last dim, then move the heads;
- the transpose back needs ``reshape`` (or ``contiguous().view``) and must come before it;
- the scale is 1/√(d_model / n_heads), not 1/√d_model; every head has it, since a head's dot product runs over
  its own channels.

Shapes: x (B, S, C) to (B, S, C); inside, heads are (B, n_heads, S, C / n_heads). Cost: 8·S·C² + 4·S²·C FLOPs
a sample for any number of heads, O(n_heads·S²) memory. Vaswani et al. 2017, section 3.2.2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Self-attention of ``d_model`` channels in ``n_heads`` heads.

    Args:
        d_model: Channels of input and output.
        n_heads: Number of heads; divides ``d_model``.
    """

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(f"n_heads: {n_heads}, expected a divisor of d_model = {d_model}")
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Attend within ``x``.

        Args:
            x: ``(B, S, d_model)``.
            mask: Broadcastable to ``(B, n_heads, S, S)``: boolean, True = may attend, or floating, added to the scores.

        Returns:
            ``(B, S, d_model)``.

        Raises:
            ValueError: Shapes or dtypes do not fit.
        """
        weight = self.q_proj.weight
        if x.ndim != 3 or x.shape[-1] != weight.shape[1] or 0 in x.shape or x.dtype != weight.dtype:
            raise ValueError(
                f"x: {x.dtype} of shape {tuple(x.shape)}, expected {weight.dtype} of shape "
                f"(batch, seq, {weight.shape[1]}) without a 0"
            )
        q, k, v = (self._split(project(x)) for project in (self.q_proj, self.k_proj, self.v_proj))
        out = _attention(q, k, v, mask)
        return self.o_proj(out.transpose(1, 2).reshape(x.shape))  # type: ignore[no-any-return]

    def _split(self, x: Tensor) -> Tensor:
        """``(B, S, H*D)`` to ``(B, H, S, D)``: first cut the channels, then move the heads forward."""
        batch, length, width = x.shape
        return x.view(batch, length, self.n_heads, width // self.n_heads).transpose(1, 2)


def _attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Stable scaled dot-product attention, ``(B, H, S, D)``; a row with nothing to attend to gives 0."""
    scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
    scores = scores.to(torch.promote_types(q.dtype, torch.float32))
    if mask is not None:
        _check_mask(mask, tuple(scores.shape))
        scores = scores.masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else scores + mask
    # The result does not depend on the shift, so no gradient has to flow through it.
    peak = scores.detach().amax(-1, keepdim=True)
    weights = torch.exp(scores - peak.masked_fill(peak == -torch.inf, 0.0))
    total = weights.sum(-1, keepdim=True)
    return (weights / total.masked_fill(total == 0, 1.0)).to(v.dtype) @ v


def _check_mask(mask: Tensor, shape: tuple[int, ...]) -> None:
    """Raise a ValueError for a mask that does not broadcast to the scores, or is neither boolean nor floating."""
    if mask.dtype != torch.bool and not mask.is_floating_point():
        raise ValueError(
            f"mask: {mask.dtype} of shape {tuple(mask.shape)}, expected bool (True = may attend) or floating (added)"
        )
    sizes = zip(reversed(mask.shape), reversed(shape), strict=False)
    if mask.ndim > len(shape) or any(size not in (1, wanted) for size, wanted in sizes):
        raise ValueError(f"mask: shape {tuple(mask.shape)}, expected one that broadcasts to the scores {shape}")
