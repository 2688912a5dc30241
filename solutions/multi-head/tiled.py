"""Multi-head attention as a module, with attention by tiles: the S × S scores of no head ever exist.

Idea: the projections and the cut into heads of ``stable.py``; each head then walks over tiles of keys with a
running maximum, a running sum and an unnormalised output, as FlashAttention-2 does (``sdpa/tiled.py`` says
how).

Autograd keeps the weights of every tile, O(S²) again; FlashAttention computes them again in the backward
pass.

Shapes: x (B, S, C) to (B, S, C); inside, heads are (B, n_heads, S, C / n_heads). Cost: 8·S·C² + 4·S²·C FLOPs
a sample; extra memory of the forward pass one tile of scores a head and O(S·C). Vaswani et al. 2017, section
3.2.2; Dao 2023, "FlashAttention-2", algorithm 1.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Self-attention of ``d_model`` channels in ``n_heads`` heads, by tiles of ``block_size``.

    Args:
        d_model: Channels of input and output.
        n_heads: Number of heads; divides ``d_model``.
        block_size: Queries and keys a tile.
    """

    def __init__(self, d_model: int, n_heads: int, block_size: int = 128) -> None:
        super().__init__()
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(f"n_heads: {n_heads}, expected a divisor of d_model = {d_model}")
        if not isinstance(block_size, int) or block_size < 1:
            raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
        self.n_heads, self.block_size = n_heads, block_size
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
        out = _attention(q, k, v, mask, self.block_size)
        return self.o_proj(out.transpose(1, 2).reshape(x.shape))  # type: ignore[no-any-return]

    def _split(self, x: Tensor) -> Tensor:
        """``(B, S, H*D)`` to ``(B, H, S, D)``: first cut the channels, then move the heads forward."""
        batch, length, width = x.shape
        return x.view(batch, length, self.n_heads, width // self.n_heads).transpose(1, 2)


def _attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, block_size: int) -> Tensor:
    """Attention by tiles, ``(B, H, S, D)``; a row with nothing to attend to gives 0."""
    if mask is not None:
        shape = (*q.shape[:-1], k.shape[-2])
        _check_mask(mask, shape)
        mask = mask.expand(shape)  # a view: no memory
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
            tile = mask[..., columns]
            scores = scores.masked_fill(~tile, -torch.inf) if tile.dtype == torch.bool else scores + tile
        # The result does not depend on the maximum, so no gradient has to flow through it.
        higher = torch.maximum(peak, scores.detach().amax(-1, keepdim=True))
        shift = higher.masked_fill(higher == -torch.inf, 0.0)
        rescale, weights = torch.exp(peak - shift), torch.exp(scores - shift)
        total = total * rescale + weights.sum(-1, keepdim=True)
        out = out * rescale + (weights.to(v.dtype) @ v[..., columns, :]).to(wide)
        peak = higher
    return (out / total.masked_fill(total == 0, 1.0)).to(v.dtype)


def _check_mask(mask: Tensor, shape: tuple[int, ...]) -> None:
    """Raise a ValueError for a mask that does not broadcast to the scores, or is neither boolean nor floating."""
    if mask.dtype != torch.bool and not mask.is_floating_point():
        raise ValueError(
            f"mask: {mask.dtype} of shape {tuple(mask.shape)}, expected bool (True = may attend) or floating (added)"
        )
    sizes = zip(reversed(mask.shape), reversed(shape), strict=False)
    if mask.ndim > len(shape) or any(size not in (1, wanted) for size, wanted in sizes):
        raise ValueError(f"mask: shape {tuple(mask.shape)}, expected one that broadcasts to the scores {shape}")
