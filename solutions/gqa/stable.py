"""Grouped-query attention without a copy of the keys and values, stable in every dtype.

Idea: H query heads share Hkv key/value heads, g = H / Hkv to each, and the ones that share are neighbours: query
head h reads key/value head h // g. So the head axis of q splits into (Hkv, g), and k and v get an axis of one
that broadcasts over g: nothing is repeated in memory, which is the point of having fewer heads. The split must be
(Hkv, g) and not (g, Hkv): the latter pairs head h with h % Hkv, and no shape tells. With Hkv = 1 this is
multi-query attention, with Hkv = H the usual one. The softmax subtracts the maximum and runs in fp32 for half
inputs; q is scaled before the product, which matters in fp16.

Shapes: q (B, H, Sq, D), k (B, Hkv, Sk, D), v (B, Hkv, Sk, Dv) to (B, H, Sq, Dv). Cost: the FLOPs of H heads,
2·Sq·Sk·(D + Dv) each; a cache of Hkv. Ainslie et al. 2023, section 2.2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def gqa(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Attention of each query head over the keys of its group's head.

    Args:
        q: ``(B, H, Sq, D)``.
        k: ``(B, Hkv, Sk, D)``.
        v: ``(B, Hkv, Sk, Dv)``.

    Raises:
        ValueError: Shapes, dtypes or numbers of heads do not fit.
    """
    _check(q, k, v)
    batch, heads, queries, dim = q.shape
    groups = (q / math.sqrt(dim)).reshape(batch, k.shape[1], -1, queries, dim)
    scores = groups @ k[:, :, None].transpose(-2, -1)
    weights = scores.to(torch.promote_types(q.dtype, torch.float32)).softmax(-1)
    return (weights.to(v.dtype) @ v[:, :, None]).reshape(batch, heads, queries, v.shape[-1])


def _check(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim != 4 or 0 in x.shape or not x.is_floating_point() or x.dtype != q.dtype:
            wanted = q.dtype if q.is_floating_point() else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {tuple(x.shape)}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    if k.shape[0] != q.shape[0] or k.shape[3] != q.shape[3]:
        raise ValueError(f"k: shape {tuple(k.shape)}, expected batch and last dim of q {tuple(q.shape)}")
    if q.shape[1] % k.shape[1]:
        raise ValueError(
            f"k: {k.shape[1]} heads in shape {tuple(k.shape)}, expected a divisor of the {q.shape[1]} of q"
        )
    if v.shape[:3] != k.shape[:3]:
        raise ValueError(f"v: shape {tuple(v.shape)}, expected that of k {tuple(k.shape)} but for its last dim")
