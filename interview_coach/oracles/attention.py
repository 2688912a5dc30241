"""Scaled dot-product attention and its parts, in float64.

Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1, equation (1); the maximum that
softmax subtracts: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018, section 2, algorithm 2.
"""

from __future__ import annotations

import numpy as np

from interview_coach.arrays import Array


def softmax(logits: Array, axis: int = -1) -> Array:
    """Softmax along ``axis``; a slice that is ``-inf`` everywhere gives 0.

    The maximum is subtracted first: softmax does not change when a constant is added, and no exponent exceeds 0.
    """
    peak = logits.max(axis=axis, keepdims=True)
    finite = np.isfinite(peak)
    if finite.all():  # the common case: no slice is empty
        weights: Array = np.exp(logits - peak)
        weights /= weights.sum(axis=axis, keepdims=True)
        return weights
    weights = np.exp(logits - np.where(finite, peak, 0.0))
    total = weights.sum(axis=axis, keepdims=True)
    result: Array = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
    return result


def causal_mask(queries: int, keys: int) -> Array:
    """Boolean ``(queries, keys)``: query i sees keys ``j <= i + keys - queries`` (aligned to the bottom right)."""
    return np.arange(keys)[None, :] <= np.arange(queries)[:, None] + keys - queries


def repeat_heads(x: Array, heads: int) -> Array:
    """``(B, Hkv, S, D)`` to ``(B, heads, S, D)``: key/value head h serves query heads ``h*g .. h*g+g-1``."""
    return x if x.shape[1] == heads else np.repeat(x, heads // x.shape[1], axis=1)


def attention(
    query: Array,
    key: Array,
    value: Array,
    mask: Array | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
) -> Array:
    """Attention of ``query`` over ``key`` and ``value``.

    Args:
        query: ``(B, Hq, Sq, D)``.
        key: ``(B, Hkv, Sk, D)``; Hkv divides Hq.
        value: ``(B, Hkv, Sk, Dv)``.
        mask: Broadcastable to ``(B, Hq, Sq, Sk)``: boolean, ``True`` = may attend, or floating, added to the logits.
        causal: Apply :func:`causal_mask` as well.
        scale: Factor on ``q @ k.T``; ``1 / sqrt(D)`` if not given.

    Returns:
        ``(B, Hq, Sq, Dv)`` in float64. A query with nothing to attend to gives 0.
    """
    query, key, value = (np.asarray(x, np.float64) for x in (query, key, value))
    key, value = (repeat_heads(x, query.shape[1]) for x in (key, value))
    logits = query @ np.swapaxes(key, -1, -2) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        logits = np.where(mask, logits, -np.inf) if mask.dtype == np.bool_ else logits + mask
    if causal:
        logits = np.where(causal_mask(query.shape[-2], key.shape[-2]), logits, -np.inf)
    return softmax(logits) @ value


def split_heads(x: Array, heads: int) -> Array:
    """``(B, S, H*D)`` to ``(B, H, S, D)``: channels ``h*D .. h*D+D-1`` belong to head h."""
    batch, length, width = x.shape
    return x.reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3)


def merge_heads(x: Array) -> Array:
    """``(B, H, S, D)`` to ``(B, S, H*D)``: the inverse of :func:`split_heads`."""
    batch, heads, length, dim = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, length, heads * dim)


def multi_head_attention(
    x: Array,
    context: Array,
    weights: dict[str, Array],
    heads: int,
    mask: Array | None = None,
    *,
    causal: bool = False,
) -> Array:
    """Multi-head attention of ``x`` over ``context`` (section 3.2.2).

    Args:
        x: ``(B, Sq, C)``.
        context: ``(B, Sk, Cc)``; ``x`` itself for self-attention.
        weights: ``q``, ``k``, ``v`` and optionally ``o`` of shape ``(in, out)``, multiplied from the right, and
            optionally their biases ``q_bias`` …
        heads: Number of heads.
        mask: As in :func:`attention`.
        causal: As in :func:`attention`.

    Returns:
        ``(B, Sq, C_out)``.
    """

    def project(name: str, source: Array) -> Array:
        return source @ weights[name] + weights.get(f"{name}_bias", 0.0)

    q, k, v = (split_heads(project(n, s), heads) for n, s in (("q", x), ("k", context), ("v", context)))
    out = merge_heads(attention(q, k, v, mask, causal=causal))
    return project("o", out) if "o" in weights else out
