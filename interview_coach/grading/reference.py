"""What a careful implementation in a given precision gives: the yardstick for rounding errors."""

from __future__ import annotations

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.numbers import EPSILON, relative_error, round_to, stable_attention, stable_linear_attention
from interview_coach.oracles.attention import merge_heads, split_heads

FLOOR = 1e-5
"""Relative error below which single precision is never doubted."""
SLACK = 20.0
"""Times the reference's own error that a right submission may have."""


def truth(case: AttentionInputs) -> Array:
    """The float64 oracle on a case, under its conventions."""
    return ATTENTION.evaluate(case.fresh(), case.conventions)


def projected(case: AttentionInputs) -> tuple[Array, Array, Array]:
    """Queries, keys and values ``(B, H, S, D)`` of a case, in float64."""
    if case.weights is None:
        assert case.q is not None and case.k is not None and case.v is not None
        return case.q, case.k, case.v
    w = case.weights
    x, context, values = w.sources(case)
    kv = w.kv_heads or case.heads
    q = x @ w.q + (0 if w.q_bias is None else w.q_bias)
    k = context @ w.k + (0 if w.k_bias is None else w.k_bias)
    v = values @ w.v + (0 if w.v_bias is None else w.v_bias)
    return split_heads(q, case.heads), split_heads(k, kv), split_heads(v, kv)


def careful(case: AttentionInputs, dtype: str) -> Array:
    """A case computed with every intermediate rounded to ``dtype``."""
    if case.rotation is None:
        q, k, v = projected(case)
    else:
        turned = ATTENTION.before("scores", case.fresh(), case.conventions)
        q, k, v = turned.query, turned.key, turned.value
    allowed = bias = None
    if _restricted(case):
        masked = ATTENTION.before("fill", case.fresh(), case.conventions)
        allowed, bias = masked.allowed, None if masked.slopes is None else masked.slopes * _distances(masked)
    if case.linear:
        out = stable_linear_attention(q, k, v, allowed, dtype)
    else:
        scale = 1.0 if case.conventions.get("scale") == "none" else case.scale
        out = stable_attention(q, k, v, allowed, dtype, scale, bias)
    if case.weights is None:
        return out
    merged = merge_heads(out)
    w = case.weights
    made = merged if w.o is None else round_to(w.projected(merged, merge_heads(q)), dtype)
    return made if w.out_norm is None and not w.residual else round_to(w.finished(made, case), dtype)


def _restricted(case: AttentionInputs) -> bool:
    """Whether anything but the values decides what a query sees, or how much of it."""
    return bool(case.conventions or case.causal or case.alibi) or case.keep is not None or case.window is not None


def _distances(f: AttentionInputs) -> Array:
    """Position of the key less that of the query, not above 0."""
    sq, sk = f.logits.shape[-2:]
    distance: Array = np.arange(sk) - np.arange(sq)[:, None] - f.first_position(sq, sk)
    return -abs(distance)


def conditioning(case: AttentionInputs) -> float:
    """How far rounding the logits alone may move the output in float32, relative to the values' size."""
    q, k, _ = projected(case)
    longest = float(np.sqrt((q**2).sum(-1)).max(initial=0.0) * np.sqrt((k**2).sum(-1)).max(initial=0.0))
    return 4 * EPSILON["float32"] * longest / float(np.sqrt(q.shape[-1]))


def allowed_error(case: AttentionInputs, expected: Array, error: float = float("inf")) -> float:
    """Relative error allowed in single precision: 1e-5, or 20 times the error of the careful computation.

    An ``error`` within the first needs no second, which then is not computed.
    """
    if error <= FLOOR:
        return FLOOR
    return max(FLOOR, SLACK * min(relative_error(careful(case, "float32"), expected), 1e-3), conditioning(case))
