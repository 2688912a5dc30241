"""``softmax_backward(p, dp) -> ds``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
from interview_coach.oracles.attention import softmax
from interview_coach.oracles.backward import softmax_backward


def _draw(case: Case, rng: Rng) -> None:
    case["x"] = normal(case, rng, "bhqk", 1.5)
    case["p"] = as_float32(softmax(case["x"]))
    case["dp"] = normal(case, rng, "bhqk", 1.0, 0.5)
    case["axis"] = -1


def _truth(case: Case) -> Outputs:
    return (softmax_backward(case["p"], case["dp"]),)


def _sum(x: Array, axis: int) -> Array:
    total: Array = x.sum(axis, keepdims=True)
    return total


RULES: Mapping[str, Callable[[Array, Array], Array]] = {
    "no-rowsum": lambda p, dp: p * dp,
    "diagonal": lambda p, dp: p * (1 - p) * dp,
    "sum-of-dp": lambda p, dp: p * (dp - _sum(dp, -1)),
    "mean": lambda p, dp: p * (dp - (p * dp).mean(-1, keepdims=True)),
    "mean-of-dp": lambda p, dp: p * (dp - dp.mean(-1, keepdims=True)),
    "outside": lambda p, dp: p * dp - _sum(p * dp, -1),
    "p-squared": lambda p, dp: p * (dp - _sum(p * p, -1)),
    "plus": lambda p, dp: p * (dp + _sum(p * dp, -1)),
    "negated": lambda p, dp: -p * (dp - _sum(p * dp, -1)),
    "swapped": lambda p, dp: dp * (p - _sum(p * dp, -1)),
    "row-minus-dp": lambda p, dp: p * (_sum(p, -1) - dp),
    "softmax-of-dp": lambda p, dp: softmax(p) * (dp - _sum(softmax(p) * dp, -1)),
    "cross-entropy": lambda p, dp: p - dp,
    "negative-cross-entropy": lambda p, dp: dp - p,
    "axis-2": lambda p, dp: p * (dp - _sum(p * dp, -2)),
    "axis-3": lambda p, dp: p * (dp - _sum(p * dp, -3)),
    "axis-0": lambda p, dp: p * (dp - _sum(p * dp, 0)),
    "sum-of-all": lambda p, dp: p * (dp - (p * dp).sum()),
}


def _compute(case: Case, choice: Choice) -> Outputs:
    p, dp = case["p"], case["dp"]
    rule = choice.get("rule")
    return (RULES[rule](p, dp) if rule else p * dp - p * _sum(p * dp, -1),)


def _codes() -> tuple[Wrong, ...]:
    codes = {
        "no-rowsum": "backward-missing-rowsum",
        "diagonal": "backward-missing-rowsum",
        "cross-entropy": "backward-cross-entropy",
        "negative-cross-entropy": "backward-cross-entropy",
        "axis-2": "softmax-wrong-axis",
        "axis-3": "softmax-wrong-axis",
        "axis-0": "softmax-wrong-axis",
        "sum-of-all": "softmax-wrong-axis",
    }
    return tuple(Wrong("rule", rule, codes.get(rule, "gradient-wrong")) for rule in RULES)


def _peaked(case: Case, rng: Rng) -> None:
    case["x"] = as_float32(case["x"] * 200)
    case["p"] = as_float32(softmax(case["x"]))


def _large(case: Case, rng: Rng) -> None:
    case["dp"] = as_float32(case["dp"] * 1e4)


TASK = Task(
    roles=(
        Role(
            "dp",
            r"d(p|y|s?out|o|a|attn|probs?|output|softmax|z|l|loss|weights?)|g|grads?|grad(p|"
            r"y|out|output|outputs|probs?|attn|weights?|softmax|upstream|s|in)?|upstream|up|"
            r"dl?d(p|y)|ddp|gradients?|(out|p|y|up|upstream)grad(ient)?|gp|gy|gout|go|dldp|"
            r"dldy|cotangent|delta|v",
            "bhqk",
        ),
        Role(
            "p",
            r"p|ps|probs?|probabilities|y|s|a|o|out|outputs?|softmax(out|output)?|sm|attn|"
            r"attention|weights?|w|probas?|q|yhat|ys|soft|sout",
            "bhqk",
        ),
        Role("x", r"x|xs|logits?|scores?|z|inputs?|inp", "bhqk", required=False, instead="p"),
        Role("axis", r"dim|axis", kind="plain", required=False),
    ),
    outputs=(Output("ds", "bhqk", scale=lambda case: 0.1 * largest(case, "dp")),),
    dims={"b": 3, "h": 2, "q": 5, "k": 7},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=_codes(),
    layouts=("BHSD", "HSD", "SD", "D"),
    shapes=(
        Shape("shape.batch-of-one", "B = 1", {"b": 1}),
        Shape("shape.one-row", "one row", {"q": 1}),
        Shape("shape.one-key", "one key: the gradient is 0", {"k": 1}),
        Shape("shape.square", "as many queries as keys", {"q": 7}),
        Shape("shape.long", "129 keys", {"k": 129}),
    ),
    probes=(
        Probe("peaked", "rows that are almost one-hot", _peaked),
        Probe("large-gradient", "gradients of 10,000", _large),
    ),
    backward=("dp", ("x",)),
    grows="k",
    forbidden=frozenset({"softmax_backward", "autograd"}),
    general="gradient-wrong",
    question="softmax-backward",
)
