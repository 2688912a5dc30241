"""Attention by tiles, as FlashAttention-2 does it: exact, and the S × S scores never exist.

Idea: take a tile of queries, walk over tiles of keys, and keep for each query three things: the maximum m of
its scores so far, the sum ℓ of exp(s − m), and the unnormalised output o = Σ exp(s − m)·v. A tile that raises
the maximum to m' rescales what is there:

    ℓ' = ℓ · exp(m − m') + Σ exp(s − m')        o' = o · exp(m − m') + Σ exp(s − m') v

and at the end out = o / ℓ, lse = m + log ℓ. Dividing once at the end and not in every step is one of the
changes from version 1 to 2.

What goes wrong on a whiteboard: the first tile is fully masked, m is still −inf, and exp(−inf − (−inf)) is
NaN; a shift by 0 until some key is seen keeps it 0.

Autograd keeps the weights of every tile for the backward pass, which is O(S²) again: FlashAttention computes
them again from lse instead (exercise ``flash-backward``).

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv); any leading dims, any lengths.
Cost: the FLOPs of ``stable.py``; extra memory of the forward pass one tile of scores and O(Sq) for m and ℓ.
Dao et al. 2022, "FlashAttention", algorithm 1; Dao 2023, "FlashAttention-2", section 3.1 and algorithm 1.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, block_size: int = 128, return_lse: bool = False
) -> Tensor | tuple[Tensor, Tensor]:
    """Attention of ``q`` over ``k`` and ``v`` by tiles; a query with nothing to attend to gives 0.

    Args:
        q: ``(..., Sq, D)``.
        k: ``(..., Sk, D)``.
        v: ``(..., Sk, Dv)``.
        mask: Broadcastable to ``(..., Sq, Sk)``: boolean, True = may attend, or floating, added to the scores.
        block_size: Queries and keys a tile.
        return_lse: Return ``(out, lse)``, lse ``(..., Sq)`` in at least fp32, −inf where there was no key.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v, mask)
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    if mask is not None:
        mask = mask.expand(*q.shape[:-1], k.shape[-2])  # a view: no memory
    tiles = []
    for i in range(0, q.shape[-2], block_size):
        rows = slice(i, i + block_size)
        tile = None if mask is None else mask[..., rows, :]
        tiles.append(_attend(q[..., rows, :], k, v, tile, block_size))
    out = torch.cat([tile for tile, _ in tiles], -2)
    return (out, torch.cat([lse for _, lse in tiles], -1)) if return_lse else out


def _attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, block_size: int) -> tuple[Tensor, Tensor]:
    """Output and log-sum-exp of one tile of queries, from one pass over the tiles of keys."""
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
    total = total.masked_fill(total == 0, 1.0)
    return (out / total).to(v.dtype), (peak + torch.log(total)).squeeze(-1)


def _check(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> None:
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
    if mask is None:
        return
    scores = (*q.shape[:-1], k.shape[-2])
    if mask.dtype != torch.bool and not mask.is_floating_point():
        raise ValueError(
            f"mask: {mask.dtype} of shape {tuple(mask.shape)}, expected bool (True = may attend) or floating (added)"
        )
    sizes = zip(reversed(mask.shape), reversed(scores), strict=False)
    if mask.ndim > len(scores) or any(size not in (1, wanted) for size, wanted in sizes):
        raise ValueError(f"mask: shape {tuple(mask.shape)}, expected one that broadcasts to the scores {scores}")
