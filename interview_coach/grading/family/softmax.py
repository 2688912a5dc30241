"""The family of softmaxes: what people write when they mean ``exp(x) / sum(exp(x))``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import Family, Variant
from interview_coach.oracles.attention import softmax


@dataclass(slots=True, eq=False, repr=False)
class SoftmaxInputs:
    """Logits and the axis that is asked for; ``out`` is filled by the family."""

    x: Array
    axis: int = -1
    out: Array | None = None

    def fresh(self) -> SoftmaxInputs:
        """A copy to run another choice on."""
        return SoftmaxInputs(self.x, self.axis)


def _set(function: Any) -> Any:
    def apply(flow: SoftmaxInputs) -> None:
        flow.out = function(flow.x, flow.axis)

    return apply


def _other_axis(offset: int) -> Any:
    def apply(flow: SoftmaxInputs) -> None:
        ndim = flow.x.ndim
        if ndim <= offset:
            raise IndexError("no such axis")
        flow.out = softmax(flow.x, (flow.axis - offset) % ndim)

    return apply


def _fixed_axis(axis: int) -> Any:
    """One axis, whichever is asked for."""

    def apply(flow: SoftmaxInputs) -> None:
        if not -flow.x.ndim <= axis < flow.x.ndim:
            raise IndexError("no such axis")
        flow.out = softmax(flow.x, axis)

    return apply


def _by_default(axis: int) -> Any:
    """The axis that is asked for, and another one where none is."""
    return _set(lambda x, a: softmax(x, axis if a == -1 else a))


def _exp_over(total: Any) -> Any:
    return _set(lambda x, a: np.exp(x - x.max(axis=a, keepdims=True)) / total(x, a))


def _output(flow: SoftmaxInputs) -> Array:
    assert flow.out is not None
    return flow.out


def _sum_of_last(flow: SoftmaxInputs) -> None:
    x = flow.x
    e = np.exp(x - x.max(axis=flow.axis, keepdims=True))
    flow.out = e / e.sum(axis=-1, keepdims=True)


def _ratio(x: Array, axis: int) -> Array:
    total: Array = x.sum(axis=axis, keepdims=True)
    return x / total


SOFTMAX: Family[SoftmaxInputs] = Family(
    stages={
        "softmax": {
            "right": Variant(_set(softmax)),
            "axis-2": Variant(_other_axis(1), "softmax-wrong-axis"),
            "axis-3": Variant(_other_axis(2), "softmax-wrong-axis"),
            "axis-4": Variant(_other_axis(3), "softmax-wrong-axis"),
            **{f"fixed-{axis}": Variant(_fixed_axis(axis), "softmax-wrong-axis") for axis in (0, 1, 2, -1)},
            **{f"default-{axis}": Variant(_by_default(axis), "softmax-wrong-axis") for axis in (0, 1, -2)},
            "negative-off-by-one": Variant(
                _set(lambda x, a: softmax(x, a if a >= 0 or a <= -x.ndim else a - 1)), "softmax-wrong-axis"
            ),
            "all": Variant(_set(lambda x, a: softmax(x.reshape(-1)).reshape(x.shape)), "softmax-wrong-axis"),
            "all-but-batch": Variant(
                _set(lambda x, a: softmax(x.reshape(x.shape[0], -1)).reshape(x.shape)), "softmax-wrong-axis"
            ),
            "sum-of-all": Variant(
                _exp_over(lambda x, a: np.exp(x - x.max(axis=a, keepdims=True)).sum()), "softmax-wrong-axis"
            ),
            "sum-of-last": Variant(_sum_of_last, "softmax-wrong-axis"),
            "shifted-linear": Variant(
                _set(lambda x, a: _ratio(x - x.max(axis=a, keepdims=True), a)), "softmax-missing"
            ),
            "shifted-min": Variant(_set(lambda x, a: _ratio(x - x.min(axis=a, keepdims=True), a)), "softmax-missing"),
            "missing": Variant(_set(lambda x, a: x), "softmax-missing"),
            "exp-only": Variant(_set(lambda x, a: np.exp(x)), "softmax-missing"),
            "exp-shifted": Variant(_exp_over(lambda x, a: 1.0), "softmax-missing"),
            "linear": Variant(_set(lambda x, a: x / x.sum(axis=a, keepdims=True)), "softmax-missing"),
            "log": Variant(_set(lambda x, a: np.log(softmax(x, a))), "softmax-missing"),
            "sigmoid": Variant(_set(lambda x, a: 1 / (1 + np.exp(-x))), "sigmoid-for-softmax"),
            "sigmoid-normalised": Variant(_set(lambda x, a: _ratio(1 / (1 + np.exp(-x)), a)), "sigmoid-for-softmax"),
            "softplus-normalised": Variant(_set(lambda x, a: _ratio(np.log1p(np.exp(x)), a)), "softmax-missing"),
            "relu-normalised": Variant(_set(lambda x, a: _ratio(np.maximum(x, 0), a)), "softmax-missing"),
            "square-normalised": Variant(_set(lambda x, a: _ratio(x**2, a)), "softmax-missing"),
            "double": Variant(_set(lambda x, a: softmax(softmax(x, a), a)), "double-softmax"),
            "base-two": Variant(_set(lambda x, a: softmax(x * np.log(2.0), a)), "base-two-exponent"),
            "negated": Variant(_set(lambda x, a: softmax(-x, a)), "softmax-missing"),
            "mean": Variant(
                _exp_over(lambda x, a: np.exp(x - x.max(axis=a, keepdims=True)).mean(axis=a, keepdims=True)),
                "softmax-missing",
            ),
        }
    },
    output=_output,
)
