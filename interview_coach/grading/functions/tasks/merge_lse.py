"""``merge_attention(out_a, lse_a, out_b, lse_b) -> (out, lse)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from interview_coach.grading.functions.direct import BASE_TWO
from interview_coach.grading.functions.task import (
    Array,
    Case,
    Choice,
    Output,
    Outputs,
    Probe,
    Rng,
    Role,
    Shape,
    Task,
    Wrong,
    as_float32,
    largest,
    normal,
)
from interview_coach.oracles.merge import merge_attention


def _draw(case: Case, rng: Rng) -> None:
    for side, shift in (("a", 0.5), ("b", -0.3)):
        case[f"out_{side}"] = normal(case, rng, "bhsd", 1.0, 0.5)
        case[f"lse_{side}"] = normal(case, rng, "bhs", 1.2, shift)


def _truth(case: Case) -> Outputs:
    unit = _unit(case)
    out, lse = merge_attention(case["out_a"], case["lse_a"] * unit, case["out_b"], case["lse_b"] * unit)
    return out, np.asarray(lse / unit)


def _unit(case: Case) -> Array:
    """What log-sum-exps are multiplied by to be natural."""
    return np.asarray(np.log(2.0) if case.get("base_two") else 1.0, case["lse_a"].dtype)


Weigh = Callable[[Array, Array], tuple[Array, Array]]
_E = np.exp


def _ratio(a: Array, b: Array) -> tuple[Array, Array]:
    return a / (a + b), b / (a + b)


WEIGHTS: Mapping[str, Weigh] = {
    "right": lambda a, b: _ratio(_E(a), _E(b)),
    "averaged": lambda a, b: (np.full_like(a, 0.5), np.full_like(b, 0.5)),
    "summed": lambda a, b: (np.ones_like(a), np.ones_like(b)),
    "swapped": lambda a, b: _ratio(_E(b), _E(a)),
    "of-lse": _ratio,
    "base-two": lambda a, b: _ratio(2.0**a, 2.0**b),
    "unnormalised": lambda a, b: (_E(a - np.maximum(a, b)), _E(b - np.maximum(a, b))),
    "raw": lambda a, b: (_E(a), _E(b)),
    "larger": lambda a, b: ((a >= b) * 1.0, (a < b) * 1.0),
    "sigmoid-each": lambda a, b: _ratio(1 / (1 + _E(-a)), 1 / (1 + _E(-b))),
    "axis": lambda a, b: (_E(a) / _E(a).sum(-1, keepdims=True), _E(b) / _E(b).sum(-1, keepdims=True)),
    "only-max-a": lambda a, b: (
        _E(a - np.maximum(a, b)) / (1 + _E(b - np.maximum(a, b))),
        _E(b - np.maximum(a, b)) / (1 + _E(b - np.maximum(a, b))),
    ),
}
SUMS: Mapping[str, Callable[[Array, Array], Array]] = {
    "right": np.logaddexp,
    "added": lambda a, b: a + b,
    "maximum": np.maximum,
    "first": lambda a, b: a,
    "second": lambda a, b: b,
    "mean": lambda a, b: (a + b) / 2,
    "max-left-out": lambda a, b: np.log(_E(a - np.maximum(a, b)) + _E(b - np.maximum(a, b))),
    "max-subtracted": lambda a, b: np.log(_E(a - np.maximum(a, b)) + _E(b - np.maximum(a, b))) - np.maximum(a, b),
    "no-log": lambda a, b: _E(a) + _E(b),
    "log-missing": lambda a, b: np.maximum(a, b) + _E(a - np.maximum(a, b)) + _E(b - np.maximum(a, b)),
    "base-two": lambda a, b: np.logaddexp(a, b) / np.log(2.0),
    "base-two-throughout": np.logaddexp2,
    "half-base-two": lambda a, b: np.maximum(a, b) + np.log2(_E(a - np.maximum(a, b)) + _E(b - np.maximum(a, b))),
    "weighted": lambda a, b: (a * _E(a) + b * _E(b)) / (_E(a) + _E(b)),
    "log-of-average": lambda a, b: np.logaddexp(a, b) - np.log(2.0),
    "sum-of-shifted": lambda a, b: _E(a - np.maximum(a, b)) + _E(b - np.maximum(a, b)),
}


def _compute(case: Case, choice: Choice) -> Outputs:
    unit = _unit(case)
    a, b = case["lse_a"] * unit, case["lse_b"] * unit
    wa, wb = WEIGHTS[choice.get("weights", "right")](a, b)
    return wa[..., None] * case["out_a"] + wb[..., None] * case["out_b"], SUMS[choice.get("sum", "right")](a, b) / unit


_CODES = {
    "averaged": "merge-averaged",
    "summed": "merge-averaged",
    "swapped": "merge-weights-swapped",
    "base-two": "base-two-exponent",
    "axis": "softmax-wrong-axis",
    "unnormalised": "merge-averaged",
    "raw": "merge-averaged",
}


def _shift(amount: float, *sides: str) -> Callable[[Case, Rng], None]:
    def change(case: Case, rng: Rng) -> None:
        for side in sides:
            case[f"lse_{side}"] = as_float32(case[f"lse_{side}"] + amount)

    return change


def _empty(*sides: str) -> Callable[[Case, Rng], None]:
    def change(case: Case, rng: Rng) -> None:
        for side in sides:
            lse, out = case[f"lse_{side}"].copy(), case[f"out_{side}"].copy()
            lse[..., ::2], out[..., ::2, :] = -np.inf, 0.0
            case[f"lse_{side}"], case[f"out_{side}"] = lse, out

    return change


_LSE = r"(lse|l|logsumexp|lsesum|ls|logz|z|s|log|softmaxlse)"
_OUT = r"(out|o|output|outs|attn|acc|y|x|partial|res|result)"
_A = r"(a|1|0|left|first|prefix|prev|old|i|p|l|acc|x|total|run|running)"
_B = r"(b|2|1|right|second|suffix|new|cur|curr|next|j|r|block|blk|s|y|chunk|step)"
TASK = Task(
    roles=(
        Role("lse_a", rf"{_LSE}{_A}?|{_A}{_LSE}", "bhs"),
        Role("lse_b", rf"{_LSE}{_B}|{_B}{_LSE}", "bhs"),
        Role("out_a", rf"{_OUT}{_A}?|{_A}{_OUT}", "bhsd"),
        Role("out_b", rf"{_OUT}{_B}|{_B}{_OUT}", "bhsd"),
    ),
    outputs=(
        Output("out", "bhsd", r"(o|out|output|merged).*"),
        Output("lse", "bhs", r"(lse|l|logsumexp).*", lambda case: 1.0, optional=True),
    ),
    dims={"b": 3, "h": 2, "s": 5, "d": 7},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=(
        *(Wrong("weights", w, _CODES.get(w, "merge-averaged")) for w in WEIGHTS if w != "right"),
        *(Wrong("sum", s, "lse-wrong") for s in SUMS if s != "right"),
    ),
    layouts=("BHSD", "BSHD-BHS", "BSHD", "BHSD-BHS1", "HSD", "SHD", "SHD-HS", "BSD", "SD", "D"),
    conventions=(BASE_TWO,),
    shapes=(
        Shape("shape.batch-of-one", "B = 1", {"b": 1}),
        Shape("shape.one-query", "S = 1", {"s": 1}),
        Shape("shape.one-channel", "D = 1", {"d": 1}),
        Shape("shape.square", "S = D = H", {"s": 7, "h": 7}),
        Shape("shape.long", "S = 129", {"s": 129, "b": 1}),
    ),
    probes=(
        Probe("shifted-up", "both log-sum-exps + 280", _shift(280.0, "a", "b"), "merge-no-max"),
        Probe("shifted-down", "both log-sum-exps - 280", _shift(-280.0, "a", "b"), "merge-no-max"),
        Probe("far-apart", "one log-sum-exp + 300", _shift(300.0, "a"), "merge-no-max"),
        Probe("far-apart-b", "the other log-sum-exp + 300", _shift(300.0, "b"), "merge-no-max"),
        Probe("huge", "both log-sum-exps + 10000", _shift(10000.0, "a", "b"), "merge-no-max"),
        Probe("one-empty", "the second part has no keys: -inf", _empty("b"), "inf-minus-inf"),
        Probe("first-empty", "the first part has no keys: -inf", _empty("a"), "inf-minus-inf"),
        Probe(
            "both-empty",
            "neither part has keys: two -inf",
            _empty("a", "b"),
            "inf-minus-inf",
            promised=r"(both|two|either|all|neither|everything|empty)[^.\n]{0,60}(-inf|empty|zero|"
            r"mask|0\b)|-inf[^.\n]{0,40}(both|two|either|all|neither)|nothing to attend|"
            r"fully[- ]masked|(都|全部?|两(边|侧|段|个)|均)[^。\n]{0,20}(-inf|空|遮|屏蔽)|"
            r"-inf[^。\n]{0,20}(都|两)",
        ),
    ),
    logits=lambda case: max(largest(case, "lse_a"), largest(case, "lse_b")),
    question="online-softmax",
)
