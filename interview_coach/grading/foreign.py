"""Attention of another kind: computations that share the roles of attention and are not softmax attention over keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.diagnosis import FIT
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.reference import projected
from interview_coach.oracles.attention import merge_heads, softmax


def _elu_plus_one(x: Array) -> Array:
    return np.where(x > 0, x + 1.0, np.exp(np.minimum(x, 0.0)))


def _linear(feature: Callable[[Array], Array]) -> Callable[[Array, Array, Array], Array]:
    def attend(q: Array, k: Array, v: Array) -> Array:
        q, k = feature(q), feature(k)
        out: Array = q @ (k.swapaxes(-1, -2) @ v) / (q * k.sum(-2, keepdims=True)).sum(-1, keepdims=True)
        return out

    return attend


def _efficient(q: Array, k: Array, v: Array) -> Array:
    out: Array = softmax(q) @ (softmax(k, -2).swapaxes(-1, -2) @ v)
    return out


def _channels(first: Callable[[Array, Array, Array], tuple[Array, Array, Array]]) -> Callable[..., Array]:
    """Softmax between channels: the rows ``a``, the columns ``b``, and what is mixed."""

    def attend(q: Array, k: Array, v: Array) -> Array:
        a, b, mixed = first(q, k, v)
        weights = softmax(a.swapaxes(-1, -2) @ b * a.shape[-1] ** -0.5)
        out: Array = mixed @ weights.swapaxes(-1, -2)
        return out

    return attend


KINDS: Mapping[str, Callable[[Array, Array, Array], Array]] = {
    "linear attention with the feature map elu(x) + 1": _linear(_elu_plus_one),
    "linear attention with the feature map relu(x)": _linear(lambda x: np.maximum(x, 0.0)),
    "efficient attention (softmax of queries and of keys)": _efficient,
    "attention between channels, not between positions": _channels(lambda q, k, v: (k, v, q)),
    "attention between the channels of queries and keys": _channels(lambda q, k, v: (q, k, v)),
}


def foreign_kind(case: AttentionInputs, output: Array) -> str | None:
    """The other kind of attention that reproduces ``output``, in words."""
    q, k, v = projected(case)
    for text, attend in KINDS.items():
        try:
            with np.errstate(all="ignore"):
                out = attend(q, k, v)
            if case.weights is not None:
                w = case.weights
                out = merge_heads(out)
                out = out if w.o is None else out @ w.o + (0.0 if w.o_bias is None else w.o_bias)
                out = w.finished(out, case)
        except ValueError:
            continue
        if out.shape == output.shape and relative_error(output, out) <= FIT:
            return text
    return None
