"""FlashAttention's forward pass by tiles in torch: exact attention that never holds the S × S scores.

Idea: for a tile of queries walk over tiles of ``block_size`` keys with a running maximum m, a running sum ℓ of
exp(s − m) and the unnormalised output o. A tile that raises the maximum to m' rescales ℓ and o by exp(m − m').
At the end out = o / ℓ and lse = m + log ℓ, the log of the softmax's denominator: one number a query, from which
the backward pass gets every weight back as exp(s − lse).

- Causal: query i sees keys j ≤ i + Sk − Sq (bottom right). In a tile of keys only the queries that see one of
  them are computed, and a mask is applied only to those on the diagonal. Queries before the first key give 0 and
  lse = −inf.
- Grouped heads: the g query heads of a key/value head are stacked as rows of one product; nothing is repeated.
- The last tile is shorter; a slice knows that by itself.
- No graph is kept: autograd would hold the weights of every tile, O(S²) again. The backward pass is an exercise of
  its own, ``flash-backward``.
- A step in Python costs the same for a small tile as for a large one, so a tile of queries is made tall: as many
  rows as keep about ``SCORES`` entries in a tile of scores.

Shapes: q (B, H, Sq, D), k (B, Hkv, Sk, D), v (B, Hkv, Sk, Dv), Hkv divides H, to out (B, H, Sq, Dv) and lse
(B, H, Sq). Cost: 2·Sq·Sk·(D + Dv) FLOPs a head, half of it if causal; beside the results a few tiles of scores
and one of outputs. Half precision is multiplied and summed in fp32. Milakov and Gimelshein 2018, section 3; Dao
2023, "FlashAttention-2", section 3.1 and algorithm 1.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

SCORES = 2**17


@torch.no_grad()
def flash_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, block_size: int = 64
) -> tuple[Tensor, Tensor]:
    """Attention of ``q`` over ``k`` and ``v``, and the log-sum-exp of its scaled scores.

    Args:
        q: ``(B, H, Sq, D)``, floating.
        k: ``(B, Hkv, Sk, D)``; key head h serves query heads ``h·g … h·g + g − 1``, g = H / Hkv.
        v: ``(B, Hkv, Sk, Dv)``.
        causal: Whether query i sees only keys ``j <= i + Sk - Sq``.
        block_size: Keys a tile; may exceed Sk.

    Returns:
        ``out`` ``(B, H, Sq, Dv)`` in the dtype of q, and ``lse`` ``(B, H, Sq)`` in at least fp32; a query that
        sees no key has out 0 and lse −inf.

    Raises:
        ValueError: Shapes, dtypes or the block size do not fit.
    """
    _check(q, k, v, block_size)
    (batch, heads, queries, _), kv_heads = q.shape, k.shape[1]
    wide = torch.promote_types(q.dtype, torch.float32)
    out = q.new_empty((*q.shape[:-1], v.shape[-1]))
    lse = q.new_empty(q.shape[:-1], dtype=wide)
    grouped = q.unflatten(1, (kv_heads, -1))
    rows = max(1, SCORES // (batch * heads * min(block_size, k.shape[-2])))
    for i in range(0, queries, rows):
        tile = grouped[..., i : i + rows, :].to(wide) / math.sqrt(q.shape[-1])
        first = i + k.shape[-2] - queries if causal else None
        results = _attend(tile, k, v, first, block_size)
        out[..., i : i + rows, :], lse[..., i : i + rows] = (x.flatten(1, 2) for x in results)
    return out, lse


def _attend(q: Tensor, k: Tensor, v: Tensor, first: int | None, block_size: int) -> tuple[Tensor, Tensor]:
    """Output and log-sum-exp of a tile of scaled queries ``(B, Hkv, g, rows, D)``.

    If causal, row r sees the keys up to ``first + r``.
    """
    peak = q.new_full((*q.shape[:-1], 1), -torch.inf)
    total = torch.zeros_like(peak)
    out = q.new_zeros((*q.shape[:-1], v.shape[-1]))
    keys, rows = k.shape[-2], q.shape[-2]
    for j in range(0, keys if first is None else min(keys, first + rows), block_size):
        stop = min(j + block_size, keys)
        seeing = slice(0 if first is None else max(0, j - first), None)
        m, ell, o = (x[..., seeing, :] for x in (peak, total, out))
        scores = _rows_times(q[..., seeing, :], k[..., j:stop, :].to(q.dtype).transpose(-2, -1))
        if first is not None:
            diagonal = first + seeing.start - j
            crossed = scores[..., : max(0, stop - j - 1 - diagonal), :]
            crossed.masked_fill_(_future(crossed, diagonal), -torch.inf)
        higher = torch.maximum(m, scores.amax(-1, keepdim=True))
        # Every row here has seen a key, in this tile or before, so the maximum is finite.
        weights = scores.sub_(higher).exp_()
        rescale = (m - higher).exp_()
        ell.mul_(rescale).add_(weights.sum(-1, keepdim=True))
        o.mul_(rescale).add_(_rows_times(weights, v[..., j:stop, :].to(q.dtype)))
        m.copy_(higher)
    lse = (peak + total.log()).squeeze(-1)
    return out.div_(total.masked_fill_(total == 0, 1.0)), lse


def _rows_times(x: Tensor, matrix: Tensor) -> Tensor:
    """``x`` ``(B, Hkv, g, rows, n)`` times ``matrix`` ``(B, Hkv, n, m)``: the groups are rows like any other."""
    return (x.flatten(2, 3) @ matrix).unflatten(2, x.shape[2:4])


def _future(scores: Tensor, diagonal: int) -> Tensor:
    """Boolean ``(rows, keys)``, True where key c is after the last one that row r sees: c > r + diagonal."""
    rows, keys = scores.shape[-2:]
    return torch.ones(rows, keys, dtype=torch.bool, device=scores.device).triu(diagonal + 1)


def _check(q: Tensor, k: Tensor, v: Tensor, block_size: int) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if not x.is_floating_point() or x.dtype != q.dtype or x.ndim != 4 or 0 in x.shape:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    (batch, heads, _, dim), (_, kv_heads, keys, _) = q.shape, k.shape
    if k.shape[0] != batch or k.shape[-1] != dim or heads % kv_heads:
        raise ValueError(
            f"k: shape {tuple(k.shape)}, expected ({batch}, a divisor of {heads}, Sk, {dim}) for q {tuple(q.shape)}"
        )
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected ({batch}, {kv_heads}, {keys}, Dv) for k")
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
