"""Multi-head attention, one head after the other, in the functional form.

Idea: head h projects x with its own columns of W_q, W_k and W_v, attends by itself, and the heads' outputs
are put side by side and mixed by W_o. The scale is 1/√(d_model / n_heads): the dot products of a head run
over its own channels only.

**Not stable**: exp is taken of the bare scores. ``stable.py`` subtracts the maximum and computes all heads in
one product.

Shapes: x (B, S, C), weights (C, C) multiplied from the right, to (B, S, C). Cost: 8·S·C² + 4·S²·C FLOPs a
sample for any number of heads, O(n_heads·S²) memory. Vaswani et al. 2017, section 3.2.2.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor


def multi_head_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, n_heads: int, mask: Tensor | None = None
) -> Tensor:
    """Self-attention of ``x`` with ``n_heads`` heads; a query with nothing to attend to gives 0 before ``w_o``.

    Args:
        x: ``(B, S, C)``.
        w_q: ``(C, C)``; head h owns the columns ``h*D .. h*D+D-1``, D = C / n_heads. ``w_k`` and ``w_v`` likewise.
        w_o: ``(C, C)``.
        n_heads: Number of heads; divides C.
        mask: Broadcastable to ``(B, n_heads, S, S)``: boolean, True = may attend, or floating, added to the scores.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    _check(x, {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}, n_heads, mask)
    batch, length, width = x.shape
    dim = width // n_heads
    if mask is not None:
        mask = mask.expand(batch, n_heads, length, length)
    outputs = []
    for h in range(n_heads):
        own = slice(h * dim, (h + 1) * dim)
        q, k, v = x @ w_q[:, own], x @ w_k[:, own], x @ w_v[:, own]
        scores = q @ k.transpose(-2, -1) / math.sqrt(dim)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, h], -torch.inf) if mask.dtype == torch.bool else scores + mask[:, h]
        weights = torch.exp(scores)
        total = weights.sum(-1, keepdim=True)
        outputs.append((weights / total.masked_fill(total == 0, 1.0)).to(x.dtype) @ v)
    return torch.cat(outputs, -1) @ w_o


def _check(x: Tensor, weights: dict[str, Tensor], n_heads: int, mask: Tensor | None) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    if x.ndim != 3 or 0 in x.shape or not x.is_floating_point():
        raise ValueError(
            f"x: {x.dtype} of shape {tuple(x.shape)}, expected floating, (batch, seq, channels) without a 0"
        )
    width = x.shape[-1]
    if n_heads < 1 or width % n_heads:
        raise ValueError(f"n_heads: {n_heads}, expected a divisor of the {width} channels of x")
    for name, weight in weights.items():
        if weight.shape != (width, width) or weight.dtype != x.dtype:
            raise ValueError(
                f"{name}: {weight.dtype} of shape {tuple(weight.shape)}, expected {x.dtype} of shape "
                f"({width}, {width}) to go with x {tuple(x.shape)}"
            )
    if mask is None:
        return
    scores = (x.shape[0], n_heads, x.shape[1], x.shape[1])
    if mask.dtype != torch.bool and not mask.is_floating_point():
        raise ValueError(
            f"mask: {mask.dtype} of shape {tuple(mask.shape)}, expected bool (True = may attend) or floating (added)"
        )
    sizes = zip(reversed(mask.shape), reversed(scores), strict=False)
    if mask.ndim > len(scores) or any(size not in (1, wanted) for size, wanted in sizes):
        raise ValueError(f"mask: shape {tuple(mask.shape)}, expected one that broadcasts to the scores {scores}")
