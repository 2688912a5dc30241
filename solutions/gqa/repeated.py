"""Grouped-query attention by repeating the key/value heads: the shortest way, and the one to remember.

Idea: ``repeat_interleave`` on the head axis turns heads [a, b] into [a, a, a, b, b, b]: query head h then stands
beside key/value head h // g, and what follows is plain attention. ``repeat`` would give [a, b, a, b, a, b], which
has the same shape and pairs the wrong heads. The copy costs g times the memory of the cache; ``stable.py`` does
without it.

Shapes: q (B, H, Sq, D), k (B, Hkv, Sk, D), v (B, Hkv, Sk, Dv) to (B, H, Sq, Dv). Cost: 2·Sq·Sk·(D + Dv) FLOPs
a query head. Ainslie et al. 2023, section 2.2.
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
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
    weights = scores.to(torch.promote_types(q.dtype, torch.float32)).softmax(-1)
    return weights.to(v.dtype) @ v


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
