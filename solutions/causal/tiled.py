"""Causal attention by tiles, as FlashAttention-2 does it: tiles of the future are never computed.

Idea: for a tile of queries walk over tiles of keys with a running maximum m, a running sum ℓ of exp(s − m),
and the unnormalised output o; a tile that raises the maximum to m' rescales both by exp(m − m'). At the end
out = o / ℓ and lse = m + log ℓ. Three kinds of tiles:

- to the right of the last visible key: not visited, which saves almost half of the work;
- crossed by the diagonal: masked entry by entry;
- to the left of it: computed without a mask.

The diagonal is j = i + Sk − Sq (bottom right). Queries before the first key visit no tile and give 0; in a
tile where only some rows have seen a key, m is −inf in the others and a shift by 0 keeps −inf − (−inf) from
becoming NaN.

Autograd keeps the weights of every tile for the backward pass, which is O(S²) again: FlashAttention computes
them again from lse instead (exercise ``flash-backward``).

Shapes: q (B, H, Sq, D), k (B, H, Sk, D), v (B, H, Sk, Dv) to (B, H, Sq, Dv); any leading dims. Cost: about
half the FLOPs of ``stable.py``; extra memory of the forward pass one tile of scores and O(Sq). Dao 2023,
"FlashAttention-2", section 3.1 ("Causal masking") and algorithm 1.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def causal_attention(
    q: Tensor, k: Tensor, v: Tensor, block_size: int = 128, return_lse: bool = False
) -> Tensor | tuple[Tensor, Tensor]:
    """Attention of each query over the keys up to its position; a query before the first key gives 0.

    Args:
        q: ``(..., Sq, D)``.
        k: ``(..., Sk, D)``.
        v: ``(..., Sk, Dv)``.
        block_size: Queries and keys a tile.
        return_lse: Return ``(out, lse)``, lse ``(..., Sq)`` in at least fp32, −inf where there was no key.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(q, k, v)
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
    diagonal = k.shape[-2] - q.shape[-2]
    tiles = [
        _attend(q[..., i : i + block_size, :], k, v, i + diagonal, block_size)
        for i in range(0, q.shape[-2], block_size)
    ]
    out = torch.cat([tile for tile, _ in tiles], -2)
    return (out, torch.cat([lse for _, lse in tiles], -1)) if return_lse else out


def _attend(q: Tensor, k: Tensor, v: Tensor, first: int, block_size: int) -> tuple[Tensor, Tensor]:
    """Output and log-sum-exp of one tile of queries, the first of which sees the keys up to ``first``."""
    wide = torch.promote_types(q.dtype, torch.float32)
    q = q / math.sqrt(q.shape[-1])
    limit = first + torch.arange(q.shape[-2], device=q.device)[:, None]
    peak = q.new_full((*q.shape[:-1], 1), -torch.inf, dtype=wide)
    total = torch.zeros_like(peak)
    out = q.new_zeros((*q.shape[:-1], v.shape[-1]), dtype=wide)
    for j in range(0, min(k.shape[-2], first + q.shape[-2]), block_size):
        columns = slice(j, min(j + block_size, k.shape[-2]))
        scores = (q @ k[..., columns, :].transpose(-2, -1)).to(wide)
        if columns.stop - 1 > first:
            keys = torch.arange(columns.start, columns.stop, device=q.device)
            scores = scores.masked_fill(keys > limit, -torch.inf)
        # The result does not depend on the maximum, so no gradient has to flow through it.
        higher = torch.maximum(peak, scores.detach().amax(-1, keepdim=True))
        shift = higher.masked_fill(higher == -torch.inf, 0.0)
        rescale, weights = torch.exp(peak - shift), torch.exp(scores - shift)
        total = total * rescale + weights.sum(-1, keepdim=True)
        out = out * rescale + (weights.to(v.dtype) @ v[..., columns, :]).to(wide)
        peak = higher
    total = total.masked_fill(total == 0, 1.0)
    return (out / total).to(v.dtype), (peak + torch.log(total)).squeeze(-1)


def _check(q: Tensor, k: Tensor, v: Tensor) -> None:
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
