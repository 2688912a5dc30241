"""Cross-attention, one head after the other: queries from one sequence, keys and values from another.

Idea: q = x W_q, k = context W_k, v = context W_v; everything else is self-attention. The lengths differ, the
context may have another width (W_k and W_v take it to d_model), and there is no causal mask: only the padding
of the context is hidden. The output has the length of x.

**Not stable**: exp is taken of the bare scores. ``stable.py`` subtracts the maximum and computes all heads in
one product.

Shapes: x (B, Sq, d_model), context (B, Sk, d_context), context_mask (B, Sk), to (B, Sq, d_model). Cost:
4·Sq·Sk·d_model FLOPs a sample beside the projections, O(Sq·Sk) memory. Vaswani et al. 2017, section 3.2.3.
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
        q, k, v = self.q_proj(x), self.k_proj(context), self.v_proj(context)
        dim = q.shape[-1] // self.n_heads
        outputs = []
        for h in range(self.n_heads):
            own = slice(h * dim, (h + 1) * dim)
            scores = q[..., own] @ k[..., own].transpose(-2, -1) / math.sqrt(dim)
            if context_mask is not None:
                scores = scores.masked_fill(~context_mask[:, None, :], -torch.inf)
            weights = torch.exp(scores)
            total = weights.sum(-1, keepdim=True)
            outputs.append(weights / total.masked_fill(total == 0, 1.0) @ v[..., own])
        return self.o_proj(torch.cat(outputs, -1))  # type: ignore[no-any-return]

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
