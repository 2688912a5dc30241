"""``label_smoothing_cross_entropy(logits, target, eps=0.1)``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.grading.functions.task import (
    Alternative,
    Array,
    Case,
    Choice,
    Convention,
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
from interview_coach.grading.stated import states_other_classes
from interview_coach.oracles.attention import softmax
from interview_coach.oracles.label_smoothing import label_smoothing_cross_entropy, log_softmax


def _draw(case: Case, rng: Rng) -> None:
    case["logits"] = normal(case, rng, "nc", 1.5, 0.3)
    case["target"] = rng.integers(0, case["dims"]["c"], size=case["dims"]["n"])
    case.setdefault("eps", 0.15)
    case["classes"] = case["dims"]["c"]
    case["axis"] = -1
    case["reduction"] = "mean"
    case["weight"] = None


def _truth(case: Case) -> Outputs:
    return (label_smoothing_cross_entropy(case["logits"], case["target"], _eps(case)),)


def _eps(case: Case) -> float:
    """What is spread over all classes, to leave the target ``1 - eps`` where a file spreads eps over the others."""
    classes = case["logits"].shape[-1]
    return float(case["eps"] * classes / (classes - 1) if case.get("others") else case["eps"])


def _log_weights(case: Case, option: str) -> Array:
    """What stands where the log-probabilities belong."""
    x = case["logits"]
    if option == "missing":
        return np.asarray(x)
    if option == "probabilities":
        return softmax(x)
    if option == "twice":
        return log_softmax(softmax(x))
    if option == "axis":
        return np.log(softmax(x, 0))
    if option == "base-two":
        return log_softmax(x * np.log(2.0))
    if option == "log2":
        return np.asarray(log_softmax(x) / np.log(2.0))
    if option == "log-twice":
        return log_softmax(log_softmax(x) * 1.0)
    return log_softmax(x)


def _targets(case: Case, option: str) -> Array:
    n, c = case["logits"].shape
    eps = _eps(case)
    hot = np.zeros((n, c))
    hot[np.arange(n), case["target"]] = 1.0
    rest = 1.0 - hot
    targets: dict[str, Array] = {
        "": (1 - eps) * hot + eps / c,
        "excludes": (1 - eps) * hot + eps / (c - 1) * rest,
        "excludes-all-classes": (1 - eps) * hot + eps / c * rest,
        "includes-one-less": (1 - eps) * hot + eps / (c - 1),
        "full-target": hot + eps / c * rest,
        "full-target-all": hot + eps / c,
        "no-division": (1 - eps) * hot + eps,
        "no-division-rest": (1 - eps) * hot + eps * rest,
        "swapped": eps * hot + (1 - eps) / c,
        "ignored": hot,
        "half": (1 - eps) * hot + eps / 2,
        "fixed": 0.9 * hot + 0.1 / c,
        "uniform-only": np.full((n, c), eps / c),
        "target-only": (1 - eps) * hot,
        "negative": (1 + eps) * hot - eps / c,
    }
    return targets[option]


def _compute(case: Case, choice: Choice) -> Outputs:
    log_p = _log_weights(case, choice.get("softmax", ""))
    products = _targets(case, choice.get("target", "")) * log_p
    rows = -products.sum(-1)
    reduction = choice.get("reduction", "")
    if reduction == "sum":
        return (np.asarray(rows.sum()),)
    if reduction == "none":
        return (rows,)
    if reduction == "column":
        return (rows[:, None],)
    if reduction == "both":
        return (np.asarray(-products.mean()),)
    if reduction == "over-classes":
        return (np.asarray(rows.sum() / products.shape[1]),)
    if reduction == "smooth-summed":
        n = len(rows)
        hot = case["logits"] * 0
        hot[np.arange(n), case["target"]] = 1
        eps = _eps(case)
        return (np.asarray(-((1 - eps) * (hot * log_p).sum(-1).mean() + eps * log_p.mean(-1).sum())),)
    if reduction == "nll-summed":
        n = len(rows)
        hot = case["logits"] * 0
        hot[np.arange(n), case["target"]] = 1
        eps = _eps(case)
        return (np.asarray(-((1 - eps) * (hot * log_p).sum() + eps * log_p.mean(-1).mean())),)
    loss = np.asarray(rows.mean())
    return (-loss if choice.get("sign") == "negated" else loss,)


_TARGETS = {
    "excludes": "smoothing-excludes-target",
    "excludes-all-classes": "smoothing-excludes-target",
    "includes-one-less": "smoothing-excludes-target",
    "full-target": "smoothing-excludes-target",
    "full-target-all": "smoothing-excludes-target",
}


def _scaled(case: Case, rng: Rng) -> None:
    case["logits"] = as_float32(case["logits"] * 300 / np.abs(case["logits"]).max())


def _shifted(amount: float) -> Callable[[Case, Rng], None]:
    def change(case: Case, rng: Rng) -> None:
        case["logits"] = as_float32(case["logits"] + amount)

    return change


def _one_sure(case: Case, rng: Rng) -> None:
    x = case["logits"].copy()
    x[:, 0] += 300.0
    case["logits"] = as_float32(x)


TASK = Task(
    roles=(
        Role("logits", r"logits?|x|z|inputs?|scores?|pred(iction)?s?|outputs?|yhat|ypred|out|o", "nc", grad=True),
        Role("target", r"targets?|labels?|y|ytrue|t|gt|gold|truth|classes|idx|tgt|indices", "n", "int", forms=("int",)),
        Role(
            "eps",
            r"eps(ilon)?|smooth(ing)?|labelsmooth(ing)?|alpha|ls|smoothingeps|e|s|factor|"
            r"smoothfactor|lsr?",
            kind="plain",
            required=False,
        ),
        Role("classes", r"(n|num)?(classes|class|vocab|vocabsize|labels)|c|v|k", kind="plain", required=False),
        Role("axis", r"dim|axis", kind="plain", required=False),
        Role("reduction", r"reduction|reduce", kind="plain", required=False),
        Role("weight", r"weights?|ignoreindex|paddingidx|padidx|mask", kind="plain", required=False),
    ),
    outputs=(Output("loss", "", scale=lambda case: max(1.0, largest(case, "logits"))),),
    dims={"n": 6, "c": 9},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=(
        *(
            Wrong(
                "target",
                t,
                _TARGETS.get(t, "smoothing-excludes-target" if "exclud" in t else "smoothing-wrong-weights"),
            )
            for t in (
                "excludes",
                "excludes-all-classes",
                "includes-one-less",
                "full-target",
                "full-target-all",
                "no-division",
                "no-division-rest",
                "swapped",
                "ignored",
                "half",
                "fixed",
                "uniform-only",
                "target-only",
                "negative",
            )
        ),
        *(
            Wrong("reduction", r, "smoothing-wrong-reduction")
            for r in ("sum", "none", "column", "both", "over-classes", "smooth-summed", "nll-summed")
        ),
        Wrong("softmax", "missing", "softmax-missing"),
        Wrong("softmax", "probabilities", "softmax-missing"),
        Wrong("softmax", "twice", "double-softmax"),
        Wrong("softmax", "axis", "softmax-wrong-axis"),
        Wrong("softmax", "base-two", "base-two-exponent"),
        Wrong("softmax", "log2", "base-two-exponent"),
        Wrong("sign", "negated", "smoothing-wrong-weights"),
    ),
    layouts=("NC",),
    alternatives=(
        Alternative("eps", (0.1, 0.05, 0.2, 0.0), missing="eps", notes=("eps 0.1", "eps 0.05", "eps 0.2", "eps 0")),
    ),
    conventions=(
        Convention("others", states_other_classes, "eps is spread over the other C - 1 classes, as the file says"),
    ),
    shapes=(
        Shape("shape.one-example", "N = 1", {"n": 1}),
        Shape("shape.two-classes", "C = 2", {"c": 2}),
        Shape("shape.square", "N = C", {"n": 9}),
        Shape("shape.many-classes", "C = 129", {"c": 129}),
        Shape("formula.no-smoothing", "eps = 0: plain cross-entropy", set={"eps": 0.0}, needs="eps"),
        Shape("formula.house-eps", "eps = 0.1", set={"eps": 0.1}, needs="eps"),
        Shape("formula.large-eps", "eps = 0.6", set={"eps": 0.6}, needs="eps"),
    ),
    probes=(
        Probe("large-logits", "logits up to ±300", _scaled, "no-max-subtraction"),
        Probe("shifted-up", "all logits + 280", _shifted(280.0), "no-max-subtraction"),
        Probe("shifted-down", "all logits - 280", _shifted(-280.0), "no-max-subtraction"),
        Probe("one-sure", "one class 300 above the others", _one_sure, "no-max-subtraction"),
        Probe("huge-logits", "all logits + 10000", _shifted(10000.0), "no-max-subtraction"),
    ),
    forbidden=frozenset({"cross_entropy.label_smoothing"}),
    grows="c",
    question="why-subtract-max",
)
