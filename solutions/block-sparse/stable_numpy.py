"""Sliding-window attention with global tokens in numpy, without the S x S matrix.

Idea: as in ``stable.py``: every query over its 2·window + 1 neighbours and the G global keys, where a global key is
hidden in the window so that it counts once; then the rows of the global queries, over all keys.

Shapes: q, k (B, H, S, D), v (B, H, S, Dv). Cost: O(S·(window + G)) where full attention takes O(S²). Beltagy et al.
2020, section 3.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def longformer_attention(q: Array, k: Array, v: Array, window: int, global_tokens: Sequence[int] | Array) -> Array:
    """Attention with a window on each side and symmetric global tokens.

    Args:
        q: ``(B, H, S, D)``.
        k: ``(B, H, S, D)``.
        v: ``(B, H, S, Dv)``.
        window: Keys on each side, at least 0.
        global_tokens: Positions, or a boolean mask ``(S,)``.

    Raises:
        ValueError: Shapes or dtypes do not fit, a position is outside the sequence, or ``window`` is negative.
    """
    _check(q, k, v, window)
    length = q.shape[-2]
    chosen = _positions(global_tokens, length)
    wide = np.promote_types(q.dtype, np.float32)
    scaled, keys, values = (q / math.sqrt(q.shape[-1])).astype(wide), k.astype(wide), v.astype(wide)
    near = np.arange(length)[:, None] + np.arange(-window, window + 1)
    inside = (near >= 0) & (near < length)
    near = near.clip(0, length - 1)
    hidden = ~inside | np.isin(near, chosen)
    local = np.where(hidden, -np.inf, np.einsum("bhsd,bhswd->bhsw", scaled, keys[:, :, near]))
    far = scaled @ keys[:, :, chosen].swapaxes(-2, -1)
    weights = _softmax(np.concatenate([local, far], -1)).astype(wide)
    own, shared = weights[..., : near.shape[1]], weights[..., near.shape[1] :]
    out = np.einsum("bhsw,bhswd->bhsd", own, values[:, :, near]) + shared @ values[:, :, chosen]
    out[:, :, chosen] = _softmax(scaled[:, :, chosen] @ keys.swapaxes(-2, -1)) @ values
    return out.astype(q.dtype)


def _softmax(scores: Array) -> Array:
    """Softmax over the last axis; no row is without a key."""
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    found: Array = weights / weights.sum(-1, keepdims=True)
    return found


def _positions(global_tokens: Sequence[int] | Array, length: int) -> NDArray[np.int64]:
    """Global tokens as positions, each once."""
    found = np.asarray(global_tokens)
    if found.dtype == np.bool_:
        if found.shape != (length,):
            raise ValueError(f"global_tokens: mask of shape {found.shape}, expected ({length},)")
        found = found.nonzero()[0]
    if found.ndim != 1 or (found.size and not np.issubdtype(found.dtype, np.integer)):
        raise ValueError(f"global_tokens: {found.dtype} of shape {found.shape}, expected integers, (G,)")
    found = np.unique(found.astype(np.int64))
    if found.size and not 0 <= found[0] <= found[-1] < length:
        raise ValueError(f"global_tokens: {found.tolist()}, expected positions from 0 to {length - 1}")
    return found


def _check(q: Array, k: Array, v: Array, window: int) -> None:
    """Raise a ValueError that names the argument, its shape, and what is expected."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.ndim != 4 or 0 in x.shape or not np.issubdtype(x.dtype, np.floating) or x.dtype != q.dtype:
            wanted = q.dtype if np.issubdtype(q.dtype, np.floating) else "a floating dtype"
            raise ValueError(
                f"{name}: {x.dtype} of shape {x.shape}, expected {wanted} of shape (B, H, S, D) without a 0"
            )
    if k.shape != q.shape:
        raise ValueError(f"k: shape {k.shape}, expected that of q {q.shape}")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"v: shape {v.shape}, expected that of k {k.shape} but for its last dim")
    if not isinstance(window, int) or window < 0:
        raise ValueError(f"window: {window!r}, expected an integer of at least 0")
