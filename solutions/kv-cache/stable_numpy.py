"""Causal attention with a KV cache in numpy, in the functional form.

Idea: as in ``stable.py``: project the new tokens, append their keys and values, let token i see the first s + i + 1.

Shapes: x (B, T, C), weights (C, C) multiplied from the right; the cache is (k, v), each (B, n_heads, s, D). Cost of a
call: 8·T·C² + 4·T·(s + T)·C FLOPs a sample.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Cache: TypeAlias = tuple[Array, Array]


def cached_attention(
    x: Array, w_q: Array, w_k: Array, w_v: Array, w_o: Array, n_heads: int, cache: Cache | None = None
) -> tuple[Array, Cache]:
    """Attend from new tokens to all tokens so far.

    Args:
        x: ``(B, T, C)``.
        w_q: ``(C, C)``; head h owns the columns ``h*D .. h*D+D-1``, D = C / n_heads. ``w_k`` and ``w_v`` likewise.
        w_o: ``(C, C)``.
        n_heads: Number of heads.
        cache: What the call before returned; ``None`` begins a sequence.

    Returns:
        The output ``(B, T, C)``, and the keys and values of all tokens so far.

    Raises:
        ValueError: Shapes or dtypes do not fit.
    """
    if x.ndim != 3 or 0 in x.shape or not np.issubdtype(x.dtype, np.floating):
        raise ValueError(f"x: {x.dtype} of shape {x.shape}, expected floating, (batch, tokens, channels) without a 0")
    batch, tokens, width = x.shape
    for name, weight in (("w_q", w_q), ("w_k", w_k), ("w_v", w_v), ("w_o", w_o)):
        if weight.shape != (width, width) or weight.dtype != x.dtype:
            raise ValueError(
                f"{name}: {weight.dtype} of shape {weight.shape}, expected {x.dtype} of shape ({width}, {width}) "
                f"to go with x {x.shape}"
            )
    if n_heads < 1 or width % n_heads:
        raise ValueError(f"n_heads: {n_heads}, expected a divisor of the {width} channels of x")
    q, k, v = (
        y.reshape(batch, tokens, n_heads, y.shape[-1] // n_heads).swapaxes(1, 2) for y in (x @ w_q, x @ w_k, x @ w_v)
    )
    if cache is not None:
        wanted = (batch, n_heads, k.shape[-1])
        for name, kept in zip("kv", cache, strict=True):
            if kept.ndim != 4 or (kept.shape[0], kept.shape[1], kept.shape[3]) != wanted:
                raise ValueError(
                    f"cache: {name} of shape {kept.shape}, expected ({batch}, {n_heads}, tokens, {wanted[2]})"
                )
        k, v = np.concatenate((cache[0], k), axis=2), np.concatenate((cache[1], v), axis=2)
    total = k.shape[2]
    scores = (q * q.dtype.type(q.shape[-1] ** -0.5)) @ k.swapaxes(-1, -2)
    visible = np.tri(tokens, total, total - tokens, dtype=bool)
    scores = np.where(visible, scores, -np.inf).astype(x.dtype)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    out = weights @ v / weights.sum(-1, keepdims=True)
    return out.swapaxes(1, 2).reshape(batch, tokens, -1) @ w_o, (k, v)
