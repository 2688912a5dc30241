"""Rounding to narrow number formats, distances between arrays, and the stable reference in each format."""

from __future__ import annotations

import numpy as np

from interview_coach.arrays import Array
from interview_coach.oracles.linear import feature_map

EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}


def real(array: Array) -> Array:
    """Values in float64; NaN in place of complex ones, none of which is the real number that was asked for."""
    values = np.asarray(array)
    return np.full(values.shape, np.nan) if values.dtype.kind == "c" else values.astype(np.float64)


def round_to(array: Array, dtype: str) -> Array:
    """Values of ``array`` rounded to nearest even in ``dtype``, held in float64; overflow gives infinity."""
    values = np.asarray(array)
    with np.errstate(over="ignore", invalid="ignore"):
        if dtype == "float16":
            return values.astype(np.float16).astype(np.float64)
        if dtype == "bfloat16":
            bits = values.astype(np.float32).view(np.uint32)
            rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
            return np.where(np.isfinite(values), rounded.astype(np.uint32).view(np.float32), values).astype(np.float64)
        return values.astype(dtype).astype(np.float64)


def relative_error(got: Array, expected: Array) -> float:
    """Largest absolute difference over the largest expected value; ``inf`` where only one of them is finite."""
    if got.shape != expected.shape:
        return float("inf")
    if not got.size:
        return 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        worst = float(np.abs(got - expected).max())
    if np.isfinite(worst):  # then everything is
        scale = float(np.abs(expected).max())
        return worst / scale if scale > 0 else worst
    if (np.isfinite(expected) != np.isfinite(got)).any():
        return float("inf")
    both = np.isfinite(expected) & np.isfinite(got)
    with np.errstate(over="ignore", invalid="ignore"):
        difference = np.abs(got - expected)[both]
    scale = float(np.max(np.abs(expected)[both], initial=0.0))
    worst = float(np.max(difference, initial=0.0))
    return worst / scale if scale > 0 else worst


def first_wrong(got: Array, expected: Array, allowed: float) -> str:
    """Where the first wrong entry is, with what was got and expected, and the counts of NaN and inf."""
    scale = float(np.max(np.abs(expected[np.isfinite(expected)]), initial=0.0)) or 1.0
    with np.errstate(invalid="ignore"):
        bad = ~(np.abs(got - expected) <= allowed * scale)
    if not bad.any():
        return ""
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    text = f"first at {list(index)}: got {got[index]:.6g}, expected {expected[index]:.6g}"
    text += f"; {int(bad.sum())} of {bad.size} wrong"
    for name, count in (("NaN", int(np.isnan(got).sum())), ("inf", int(np.isinf(got).sum()))):
        if count:
            text += f", {count} {name}"
    return text


def stable_attention(
    query: Array,
    key: Array,
    value: Array,
    allowed: Array | None,
    dtype: str,
    scale: float | None = None,
    bias: Array | None = None,
) -> Array:
    """Attention with every intermediate rounded to ``dtype``: the error that a careful kernel cannot avoid.

    The query is scaled before the product; the softmax and all sums run in float32 (float64 for float64) and their
    results are rounded, as in the mixed-precision kernels of the libraries.
    """
    wide = np.float64 if dtype == "float64" else np.float32

    def narrow(x: Array) -> Array:
        return round_to(x, dtype).astype(wide)

    q, k, v = (narrow(t) for t in (query, key, value))
    if k.shape[1] != q.shape[1]:
        k, v = (np.repeat(t, q.shape[1] // t.shape[1], axis=1) for t in (k, v))
    logits = narrow(narrow(q * wide(q.shape[-1] ** -0.5 if scale is None else scale)) @ k.swapaxes(-1, -2))
    if bias is not None:
        logits = narrow(logits + bias.astype(wide))
    if allowed is not None:
        logits = np.where(allowed, logits, wide(-np.inf))
    peak = logits.max(-1, keepdims=True)
    weights = np.exp(logits - np.where(np.isfinite(peak), peak, 0).astype(wide))
    total = weights.sum(-1, keepdims=True, dtype=wide)
    p = narrow(np.divide(weights, total, out=np.zeros_like(weights), where=total > 0))
    return narrow(p @ v).astype(np.float64)


def stable_linear_attention(query: Array, key: Array, value: Array, allowed: Array | None, dtype: str) -> Array:
    """Linear attention with every intermediate rounded to ``dtype``; the sums run in float32 (float64 for float64)."""
    wide = np.float64 if dtype == "float64" else np.float32

    def narrow(x: Array) -> Array:
        return round_to(x, dtype).astype(wide)

    q, k = (narrow(feature_map(narrow(t))) for t in (query, key))
    v = narrow(value)
    if k.shape[1] != q.shape[1]:
        k, v = (np.repeat(t, q.shape[1] // t.shape[1], axis=1) for t in (k, v))
    if allowed is None:
        out, total = narrow(q @ narrow(k.swapaxes(-1, -2) @ v)), narrow(q @ narrow(k.sum(-2))[..., None])
    else:
        weights = narrow(q @ k.swapaxes(-1, -2)) * allowed
        out, total = narrow(weights @ v), narrow(weights.sum(-1, keepdims=True))
    shares: Array = narrow(np.divide(out, total, out=np.zeros_like(out), where=total > 0)).astype(np.float64)
    return shares
