"""``linear_attention(q, k, v, causal=False)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from interview_coach.grading.functions.task import (
    Alternative,
    Array,
    Case,
    Choice,
    Narrow,
    Output,
    Outputs,
    Probe,
    Rng,
    Role,
    Shape,
    Task,
    Wrong,
    as_float32,
    normal,
)
from interview_coach.oracles.attention import softmax
from interview_coach.oracles.linear import feature_map, linear_attention


def _draw(case: Case, rng: Rng) -> None:
    case.setdefault("causal", False)
    if case["causal"]:
        case["dims"] = {**case["dims"], "k": case["dims"]["q"]}
    case["q"] = normal(case, rng, "bhqd", 1.2)
    case["k"] = normal(case, rng, "bhkd", 1.2)
    case["v"] = normal(case, rng, "bhke", 1.0, 0.5)
    case["small"] = 1e-8
    case["chunk"] = 4
    case["unused"] = None


def _truth(case: Case) -> Outputs:
    if case["causal"] and case["q"].shape[-2] != case["k"].shape[-2]:
        raise ValueError("causal linear attention needs as many queries as keys")
    return (linear_attention(case["q"], case["k"], case["v"], causal=case["causal"]),)


def _elu(x: Array) -> Array:
    return np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)


MAPS: Mapping[str, Callable[[Array], Array]] = {
    "identity": lambda x: x,
    "elu": _elu,
    "relu": lambda x: np.maximum(x, 0),
    "relu-plus-one": lambda x: np.maximum(x, 0) + 1,
    "exp": np.exp,
    "softmax": lambda x: softmax(x, -1),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.log1p(np.exp(x)),
    "square": lambda x: x**2,
    "elu-plus-two": lambda x: _elu(x) + 2,
    "plus-one": lambda x: x + 1,
    "elu-of-plus-one": lambda x: _elu(x + 1),
    "scaled": lambda x: feature_map(x * x.shape[-1] ** -0.5),
    "root-scaled": lambda x: feature_map(x * x.shape[-1] ** -0.25),
    "gelu-like": np.abs,
    "tanh": lambda x: 1 + np.tanh(x),
    "leaky": lambda x: np.where(x > 0, x, 0.01 * x) + 1,
}


def _visible(case: Case, option: str) -> Array:
    sq, sk = case["q"].shape[-2], case["k"].shape[-2]
    if not case["causal"]:
        if option == "always":
            if sq != sk:
                raise IndexError("needs equal lengths")
            return np.tri(sq, sk)
        if option in ("ignored", "exclusive", "reversed", "leak-one") or option.startswith("chunk"):
            return np.ones((sq, sk))
        return np.ones((sq, sk))
    i, j = np.arange(sq)[:, None], np.arange(sk)[None]
    if option == "ignored":
        return np.ones((sq, sk))
    if option == "exclusive":
        return (j < i) * 1.0
    if option == "reversed":
        return (j >= i) * 1.0
    if option == "leak-one":
        return (j <= i + 1) * 1.0
    if option.startswith("chunk-before-"):
        return np.asarray((j // int(option[13:]) < i // int(option[13:])) * 1.0)
    if option.startswith("chunk-inside-"):
        return np.asarray(((j // int(option[13:]) == i // int(option[13:])) & (j <= i)) * 1.0)
    if option.startswith("chunk-"):
        size = int(option[6:])
        return np.asarray((j // size <= i // size) * 1.0)
    return np.asarray((j <= i) * 1.0)


def _compute(case: Case, choice: Choice) -> Outputs:
    q, k, v = case["q"], case["k"], case["v"]
    option = choice.get("map", "")
    map_q = MAPS[option.removeprefix("q-")] if option and not option.startswith("k-") else feature_map
    map_k = MAPS[option.removeprefix("k-")] if option and not option.startswith("q-") else feature_map
    fq, fk = map_q(q), map_k(k)
    if option == "features-softmaxed":
        fq, fk = softmax(q, -1), softmax(k, -2)
    if choice.get("scale") == "root":
        fq = fq * q.shape[-1] ** -0.5
    if choice.get("scale") == "softmax":
        logits = q @ np.swapaxes(k, -1, -2) * q.shape[-1] ** -0.5
        logits = np.where(_visible(case, choice.get("causal", "")) > 0, logits, -np.inf)
        return (softmax(logits) @ v,)
    visible = _visible(case, choice.get("causal", ""))
    weights = fq @ np.swapaxes(fk, -1, -2)
    seen = weights * visible
    numerator = seen @ v
    total = seen.sum(-1, keepdims=True)
    norm = choice.get("norm", "")
    counts = visible.sum(-1, keepdims=True)
    if norm == "softmax-of-products":
        return (softmax(np.where(visible > 0, weights, -np.inf)) @ v,)
    if norm == "none":
        return (numerator,)
    if norm == "length":
        return (numerator / visible.shape[-1],)
    if norm == "count":
        return (numerator / counts,)
    if norm == "total":
        return (numerator / weights.sum(-1, keepdims=True),)
    if norm == "numerator-total":
        return (weights @ v / total,)
    if norm == "keys-only":
        return (numerator / fk.sum((-1, -2), keepdims=True),)
    if norm == "key-sum":
        return (fq @ (np.swapaxes(fk, -1, -2) @ v / fk.sum(-2)[..., None]),)
    if norm == "queries":
        return (numerator / fq.sum(-1, keepdims=True),)
    if norm == "raw-keys":
        return (numerator / (q @ k.sum(-2)[..., None]),)
    if norm == "root":
        return (numerator / q.shape[-1] ** 0.5,)
    if norm == "plus-one":
        return (numerator / (total + 1.0),)
    if norm == "mean-keys":
        return (numerator / (fq @ fk.mean(-2)[..., None]),)
    if norm == "axis":
        return (
            numerator / seen.sum(-2)[..., None]
            if seen.shape[-1] == seen.shape[-2]
            else numerator / fq.sum(-2, keepdims=True).sum(-1, keepdims=True),
        )
    return (numerator / total,)


_CHUNKS = (2, 3, 4, 5, 8, 16, 32, 64)
WRONG = (
    *(
        Wrong("norm", n, "linear-missing-normaliser")
        for n in (
            "none",
            "length",
            "count",
            "keys-only",
            "key-sum",
            "queries",
            "raw-keys",
            "root",
            "plus-one",
            "mean-keys",
            "axis",
            "softmax-of-products",
        )
    ),
    Wrong("norm", "total", "linear-not-causal"),
    Wrong("norm", "numerator-total", "linear-not-causal"),
    *(Wrong("map", m, "linear-missing-feature-map") for m in MAPS if m not in ("scaled", "root-scaled")),
    *(
        Wrong("map", f"{side}-{m}", "linear-missing-feature-map")
        for side in "qk"
        for m in ("identity", "elu", "relu", "softmax")
    ),
    Wrong("scale", "softmax", "linear-missing-feature-map"),
    *(Wrong("map", m, "scale-twice") for m in ("scaled", "root-scaled")),
    *(Wrong("map", f"{side}-scaled", "scale-twice") for side in "qk"),
    Wrong("causal", "ignored", "linear-not-causal"),
    Wrong("causal", "always", "linear-not-causal"),
    Wrong("causal", "exclusive", "causal-hides-self"),
    Wrong("causal", "reversed", "causal-reversed"),
    Wrong("causal", "leak-one", "causal-leaks-next"),
    *(Wrong("causal", f"chunk-{c}", "linear-not-causal") for c in _CHUNKS),
    *(Wrong("causal", f"chunk-before-{c}", "linear-not-causal") for c in _CHUNKS),
    *(Wrong("causal", f"chunk-inside-{c}", "linear-not-causal") for c in _CHUNKS),
)


def _large(case: Case, rng: Rng) -> None:
    case["q"], case["k"] = as_float32(case["q"] * 30), as_float32(case["k"] * 30)
    case["q"][..., 0] = np.abs(case["q"][..., 0])
    case["k"][..., 0] = np.abs(case["k"][..., 0])


def _causal(prose: str, reading: Mapping[str, Any]) -> bool:
    return bool(reading.get("causal"))


TASK = Task(
    roles=(
        Role("q", r"q|qs|query|queries|qq|xq", "bhqd", grad=True),
        Role("k", r"k|ks|keys?|kk|xk", "bhkd", grad=True),
        Role("v", r"v|vs|values?|vv|val|xv", "bhke", grad=True),
        Role("causal", r"(is|use)?causal|iscausal|autoregressive|causalmask|masked", kind="plain", required=False),
        Role("small", r"eps(ilon)?", kind="plain", required=False, left=True),
        Role("chunk", r"(chunk|block)(size|len)?", kind="plain", required=False, left=True),
        Role("unused", r".*mask|scale|(n|num)?heads", kind="plain", required=False, left=True),
    ),
    outputs=(Output("out", "bhqe", r"(out|o|y).*"),),
    dims={"b": 3, "h": 2, "q": 5, "k": 7, "d": 11, "e": 13},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=WRONG,
    layouts=("BHSD", "BSHD", "HSD", "BSD", "SD", "SHD"),
    alternatives=(Alternative("causal", (False, True), missing="causal", notes=("", "causal")),),
    shapes=(
        Shape("shape.batch-of-one", "B = 1", {"b": 1}),
        Shape("shape.one-token", "Sq = Sk = 1", {"q": 1, "k": 1}),
        Shape("shape.square", "as many queries as keys, equal dims", {"q": 7, "e": 11}),
        Shape("shape.one-query", "Sq = 1", {"q": 1}),
        Shape("shape.one-key", "Sk = 1", {"k": 1}),
        Shape("formula.causal", "causal=True", {"k": 5}, {"causal": True}, needs="causal"),
        Shape(
            "formula.causal-long", "causal=True, S = 33", {"q": 33, "k": 33, "b": 1}, {"causal": True}, needs="causal"
        ),
        Shape(
            "formula.causal-longer",
            "causal=True, S = 130",
            {"q": 130, "k": 130, "b": 1},
            {"causal": True},
            needs="causal",
        ),
        Shape("shape.causal-one-token", "causal=True, S = 1", {"q": 1, "k": 1}, {"causal": True}, needs="causal"),
        Shape("shape.long", "Sq = Sk = 65", {"q": 65, "k": 65, "b": 1}),
    ),
    narrower=(
        Narrow("equal lengths", {"k": 5}, _causal, always=True),
        Narrow("value dim equal to key dim", {"e": 11}),
        Narrow("equal lengths and equal dims", {"k": 5, "e": 11}),
        Narrow("a batch of one", {"b": 1}),
    ),
    probes=(Probe("large-inputs", "queries and keys 30 times as large", _large),),
    question="linear-attention",
)
