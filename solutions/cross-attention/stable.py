"""Cross-attention as a module, stable in every dtype: queries from one sequence, keys and values from another.

Idea: q = x W_q, k = context W_k, v = context W_v; everything else is self-attention. What goes wrong on a
whiteboard:

- values taken from x, or the output given the length of the context;
- a causal mask: the context is complete, only its padding is hidden, by a mask (B, Sk) that is broadcast over
  heads and queries as (B, 1, 1, Sk);
- a context that was not normalised: the variance of the scores is that of q times that of k, so the context
  needs its LayerNorm.

Shapes: x (B, Sq, d_model), context (B, Sk, d_context), context_mask (B, Sk), to (B, Sq, d_model). Cost:
4·Sq·Sk·d_model FLOPs a sample beside the projections, O(n_heads·Sq·Sk) memory. Keys and values of a fixed
context can be computed once and kept. Vaswani et al. 2017, section 3.2.3.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class CrossAttention(nn.Module):
    """Attention from ``d_model`` channels to a context of ``d_context`` channels, in ``n_heads`` heads.

    Args:
        d_model: Channels of input and output.
        n_heads: Number of heads; divides ``d_model``.
        d_context: Channels of the context; ``d_model`` if not given.
    """

    def __init__(self, d_model: int, n_heads: int, d_context: int | None = None) -> None:
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(f"n_heads: {n_heads}, expected a divisor of d_model = {d_model}")
        d_context = d_model if d_context is None else d_context
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_context, d_model, bias=False)
        self.v_proj = nn.Linear(d_context, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: Tensor, context: Tensor, context_mask: Tensor | None = None) -> Tensor:
        """Attend from ``x`` to ``context``.

        Args:
            x: ``(B, Sq, d_model)``.
            context: ``(B, Sk, d_context)``.
            context_mask: Boolean ``(B, Sk)``, True = real token, False = padding.

        Returns:
            ``(B, Sq, d_model)``; 0 for a sample whose context is padding only.

        Raises:
            ValueError: Shapes or dtypes do not fit.
        """
        self._check(x, context, context_mask)
        q, k, v = self._split(self.q_proj(x)), self._split(self.k_proj(context)), self._split(self.v_proj(context))
        out = _attention(q, k, v, None if context_mask is None else context_mask[:, None, None, :])
        return self.o_proj(out.transpose(1, 2).reshape(x.shape))  # type: ignore[no-any-return]

    def _split(self, x: Tensor) -> Tensor:
        """``(B, S, H*D)`` to ``(B, H, S, D)``: first cut the channels, then move the heads forward."""
        return x.view(*x.shape[:2], self.n_heads, x.shape[2] // self.n_heads).transpose(1, 2)

    def _check(self, x: Tensor, context: Tensor, context_mask: Tensor | None) -> None:
        """Raise a ValueError that names the argument, its shape, and what is expected."""
        weight = self.q_proj.weight
        if x.ndim != 3 or x.shape[-1] != weight.shape[1] or 0 in x.shape or x.dtype != weight.dtype:
            raise ValueError(
                f"x: {x.dtype} of shape {tuple(x.shape)}, expected {weight.dtype} of shape "
                f"(batch, seq, {weight.shape[1]}) without a 0"
            )
        fits = context.ndim == 3 and context.shape[0] == x.shape[0] and context.shape[2] == self.k_proj.in_features
        if not fits or context.shape[1] == 0 or context.dtype != x.dtype:
            raise ValueError(
                f"context: {context.dtype} of shape {tuple(context.shape)}, expected {x.dtype} of shape "
                f"({x.shape[0]}, at least 1, {self.k_proj.in_features}) to go with x {tuple(x.shape)}"
            )
        if context_mask is not None and (context_mask.dtype != torch.bool or context_mask.shape != context.shape[:2]):
            found = f"{context_mask.dtype} of shape {tuple(context_mask.shape)}"
            raise ValueError(f"context_mask: {found}, expected torch.bool of shape {tuple(context.shape[:2])}")


def _attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Stable scaled dot-product attention, ``(B, H, S, D)``, boolean mask; a row with nothing to attend to gives 0."""
    scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
    scores = scores.to(torch.promote_types(q.dtype, torch.float32))
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    # The result does not depend on the shift, so no gradient has to flow through it.
    peak = scores.detach().amax(-1, keepdim=True)
    weights = torch.exp(scores - peak.masked_fill(peak == -torch.inf, 0.0))
    total = weights.sum(-1, keepdim=True)
    return (weights / total.masked_fill(total == 0, 1.0)).to(v.dtype) @ v
