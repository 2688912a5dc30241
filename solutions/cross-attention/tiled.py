"""Cross-attention as a module, with attention by tiles: the Sq × Sk scores of no head ever exist.

Idea: the projections of ``stable.py``; each head then walks over tiles of the context with a running maximum,
a running sum and an unnormalised output, as FlashAttention-2 does (``sdpa/tiled.py`` says how). A tile that
is padding only leaves the running maximum at −inf; a shift by 0 keeps −inf − (−inf) from becoming NaN.

Autograd keeps the weights of every tile, O(S²) again; FlashAttention computes them again in the backward
pass.

Shapes: x (B, Sq, d_model), context (B, Sk, d_context), context_mask (B, Sk), to (B, Sq, d_model). Cost:
4·Sq·Sk·d_model FLOPs a sample beside the projections; extra memory of the forward pass one tile of scores a
head and O(Sq·d_model). Vaswani et al. 2017, section 3.2.3; Dao 2023, "FlashAttention-2", algorithm 1.
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
        block_size: Queries and keys a tile.
    """

    def __init__(self, d_model: int, n_heads: int, d_context: int | None = None, block_size: int = 128) -> None:
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(f"n_heads: {n_heads}, expected a divisor of d_model = {d_model}")
        if not isinstance(block_size, int) or block_size < 1:
            raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
        d_context = d_model if d_context is None else d_context
        self.n_heads, self.block_size = n_heads, block_size
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
        mask = None if context_mask is None else context_mask[:, None, None, :]
        out = _attention(q, k, v, mask, self.block_size)
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


def _attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, block_size: int) -> Tensor:
    """Attention by tiles, ``(B, H, S, D)``; a row with nothing to attend to gives 0."""
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], k.shape[-2])  # a view: no memory
    tiles = []
    for i in range(0, q.shape[-2], block_size):
        rows = slice(i, i + block_size)
        tile = None if mask is None else mask[..., rows, :]
        tiles.append(_attend(q[..., rows, :], k, v, tile, block_size))
    return torch.cat(tiles, -2)


def _attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, block_size: int) -> Tensor:
    """Output of one tile of queries, from one pass over the tiles of keys."""
    wide = torch.promote_types(q.dtype, torch.float32)
    q = q / math.sqrt(q.shape[-1])
    peak = q.new_full((*q.shape[:-1], 1), -torch.inf, dtype=wide)
    total = torch.zeros_like(peak)
    out = q.new_zeros((*q.shape[:-1], v.shape[-1]), dtype=wide)
    for j in range(0, k.shape[-2], block_size):
        columns = slice(j, j + block_size)
        scores = (q @ k[..., columns, :].transpose(-2, -1)).to(wide)
        if mask is not None:
            scores = scores.masked_fill(~mask[..., columns], -torch.inf)
        # The result does not depend on the maximum, so no gradient has to flow through it.
        higher = torch.maximum(peak, scores.detach().amax(-1, keepdim=True))
        shift = higher.masked_fill(higher == -torch.inf, 0.0)
        rescale, weights = torch.exp(peak - shift), torch.exp(scores - shift)
        total = total * rescale + weights.sum(-1, keepdim=True)
        out = out * rescale + (weights.to(v.dtype) @ v[..., columns, :]).to(wide)
        peak = higher
    return (out / total.masked_fill(total == 0, 1.0)).to(v.dtype)
