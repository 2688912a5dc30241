"""FlashAttention's backward pass by tiles in torch: the weights are computed again, never stored.

Idea: the forward pass left out and lse. Any tile of the weights comes back as P = exp(s − lse), already
normalised, and the row sum that the derivative of the softmax needs is rowsum(P ∘ dP) = rowsum(dO ∘ O), one number
a query. For a tile of keys, walk over the queries that see it:

    P  = exp(q kᵀ · scale − lse)        dV += Pᵀ dO
    dS = P ∘ (dO Vᵀ − rowsum(dO ∘ O))   dQ += dS k · scale      dK += dSᵀ q · scale

- Causal: query i sees keys j ≤ i + Sk − Sq (bottom right); queries before a tile of keys skip it.
- Grouped heads: the g query heads of a key/value head are stacked as rows, so their shares of dK and dV add up in
  the product.
- A query that saw no key has lse −inf; exp(s + inf) is avoided by taking +inf in its place, which gives P = 0.
- A tile of queries is as tall as keeps about ``SCORES`` entries in a tile of scores: a step in Python costs the same
  for a small one.

Shapes: q, dq (B, H, Sq, D), k, dk (B, Hkv, Sk, D), v, dv (B, Hkv, Sk, Dv), out, d_out (B, H, Sq, Dv), lse
(B, H, Sq). Cost: five products, 2.5 times the FLOPs of the forward pass; beside the results a few tiles of
scores and O(S). Half precision is multiplied and summed in fp32. Dao et al. 2022, appendix B.4 and algorithm 4; Dao
2023, "FlashAttention-2", algorithm 2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

SCORES = 2**17


@torch.no_grad()
def flash_attention_backward(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    out: Tensor,
    lse: Tensor,
    d_out: Tensor,
    causal: bool = False,
    block_size: int = 64,
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of attention with respect to ``q``, ``k`` and ``v``.

    Args:
        q: ``(B, H, Sq, D)``, floating.
        k: ``(B, Hkv, Sk, D)``; key head h serves query heads ``h·g … h·g + g − 1``, g = H / Hkv.
        v: ``(B, Hkv, Sk, Dv)``.
        out: ``(B, H, Sq, Dv)``, the output of the forward pass.
        lse: ``(B, H, Sq)``, the log-sum-exp of its scaled scores, −inf for a query without a key.
        d_out: ``(B, H, Sq, Dv)``, the gradient with respect to ``out``.
        causal: Whether query i saw only keys ``j <= i + Sk - Sq``.
        block_size: Keys a tile; may exceed Sk.

    Returns:
        ``dq``, ``dk``, ``dv`` in the shapes and the dtype of q, k and v.

    Raises:
        ValueError: Shapes, dtypes or the block size do not fit.
    """
    _check(q, k, v, out, lse, d_out, block_size)
    (batch, heads, queries, dim), (_, kv_heads, keys, _) = q.shape, k.shape
    wide = torch.promote_types(q.dtype, torch.float32)
    scale = 1 / math.sqrt(dim)
    row_sum = (d_out.to(wide) * out.to(wide)).sum(-1, keepdim=True)
    lse = lse.to(wide).masked_fill(lse == -torch.inf, torch.inf)[..., None]
    dq, dk, dv = (torch.zeros_like(x, dtype=wide) for x in (q, k, v))
    by_group = [x.unflatten(1, (kv_heads, -1)) for x in (q, d_out, lse, row_sum, dq)]
    rows = max(1, SCORES // (batch * heads * min(block_size, keys)))
    for j in range(0, keys, block_size):
        columns = slice(j, min(j + block_size, keys))
        key, value = k[..., columns, :].to(wide), v[..., columns, :].to(wide)
        for i in range(max(0, j - (keys - queries)) if causal else 0, queries, rows):
            # Each is (B, Hkv, g, rows, …); its groups are stacked as rows for the products.
            tiles = [x[..., i : i + rows, :] for x in by_group]
            query, d_o, lse_tile, row_sums = (x.to(wide).flatten(2, 3) for x in tiles[:4])
            scores = query @ key.transpose(-2, -1) * scale
            if causal:
                hidden = _future(tiles[0].shape[-2], columns, i + keys - queries, q.device)
                scores.unflatten(2, tiles[0].shape[2:4]).masked_fill_(hidden, -torch.inf)
            p = scores.sub_(lse_tile).exp_()
            dv[..., columns, :] += p.transpose(-2, -1) @ d_o
            ds = p.mul_((d_o @ value.transpose(-2, -1)).sub_(row_sums)).mul_(scale)
            tiles[4].add_((ds @ key).unflatten(2, tiles[4].shape[2:4]))
            dk[..., columns, :] += ds.transpose(-2, -1) @ query
    return dq.to(q.dtype), dk.to(q.dtype), dv.to(q.dtype)


def _future(rows: int, columns: slice, first: int, device: torch.device) -> Tensor:
    """Boolean ``(rows, keys)``, True where a key of ``columns`` is after the last one that row r sees, first + r."""
    seen = first + torch.arange(rows, device=device)[:, None]
    return torch.arange(columns.start, columns.stop, device=device) > seen


def _check(q: Tensor, k: Tensor, v: Tensor, out: Tensor, lse: Tensor, d_out: Tensor, block_size: int) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v), ("out", out), ("d_out", d_out)):
        if not x.is_floating_point() or x.dtype != q.dtype or x.ndim != 4 or 0 in x.shape:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    (batch, heads, queries, dim), (_, kv_heads, keys, _) = q.shape, k.shape
    if k.shape[0] != batch or k.shape[-1] != dim or heads % kv_heads:
        raise ValueError(
            f"k: shape {tuple(k.shape)}, expected ({batch}, a divisor of {heads}, Sk, {dim}) for q {tuple(q.shape)}"
        )
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected ({batch}, {kv_heads}, {keys}, Dv) for k")
    for name, x, wanted_shape in (
        ("out", out, (batch, heads, queries, v.shape[-1])),
        ("d_out", d_out, (batch, heads, queries, v.shape[-1])),
        ("lse", lse, (batch, heads, queries)),
    ):
        if x.shape != wanted_shape or not x.is_floating_point():
            raise ValueError(f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected floating, {wanted_shape}")
    if not isinstance(block_size, int) or block_size < 1:
        raise ValueError(f"block_size: {block_size!r}, expected an integer of at least 1")
