"""``attention_backward(q, k, v, d_out) -> (dq, dk, dv)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from interview_coach.grading.functions.task import (
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
    largest,
    normal,
)
from interview_coach.oracles.attention import softmax
from interview_coach.oracles.backward import attention_backward


def _draw(case: Case, rng: Rng) -> None:
    case["q"] = normal(case, rng, "bhqd", 1.3)
    case["k"] = normal(case, rng, "bhkd", 1.3)
    case["v"] = normal(case, rng, "bhke", 1.0, 0.5)
    case["d_out"] = normal(case, rng, "bhqe")
    case["scale"] = float(case["dims"]["d"]) ** -0.5
    case["causal"] = None
    case["mask"] = None
    _forward(case)


def _forward(case: Case) -> None:
    """What a backward may be given of its forward."""
    logits = case["q"] @ _t(case["k"]) * case["scale"]
    peak = logits.max(-1, keepdims=True)
    case["p"] = as_float32(softmax(logits))
    case["out"] = as_float32(softmax(logits) @ case["v"])
    case["lse"] = as_float32((peak + np.log(np.exp(logits - peak).sum(-1, keepdims=True)))[..., 0])


def _t(x: Array) -> Array:
    return np.swapaxes(x, -1, -2)


def _truth(case: Case) -> Outputs:
    return attention_backward(case["q"], case["k"], case["v"], case["d_out"])


def _sum(x: Array, axis: int = -1) -> Array:
    total: Array = x.sum(axis, keepdims=True)
    return total


SCALES: Mapping[str, Callable[[float], float]] = {
    "none": lambda d: 1.0,
    "d": lambda d: 1 / d,
    "inverted": lambda d: d**0.5,
}
RULES: Mapping[str, Callable[[Array, Array], Array]] = {
    "no-rowsum": lambda p, dp: p * dp,
    "diagonal": lambda p, dp: p * (1 - p) * dp,
    "no-softmax": lambda p, dp: dp,
    "cross-entropy": lambda p, dp: p - dp,
    "sum-of-dp": lambda p, dp: p * (dp - _sum(dp)),
    "mean": lambda p, dp: p * (dp - (p * dp).mean(-1, keepdims=True)),
    "mean-of-dp": lambda p, dp: p * (dp - dp.mean(-1, keepdims=True)),
    "outside": lambda p, dp: p * dp - _sum(p * dp),
    "plus": lambda p, dp: p * (dp + _sum(p * dp)),
    "negated": lambda p, dp: -p * (dp - _sum(p * dp)),
    "swapped": lambda p, dp: dp * (p - _sum(p * dp)),
    "axis-2": lambda p, dp: p * (dp - _sum(p * dp, -2)),
    "axis-3": lambda p, dp: p * (dp - _sum(p * dp, -3)),
    "axis-0": lambda p, dp: p * (dp - _sum(p * dp, 0)),
    "sum-of-all": lambda p, dp: p * (dp - (p * dp).sum()),
}


def _reshaped(x: Array) -> Array:
    return x.reshape(*x.shape[:-2], x.shape[-1], x.shape[-2])


def _compute(case: Case, choice: Choice) -> Outputs:
    q, k, v, d_out = case["q"], case["k"], case["v"], case["d_out"]
    d = float(q.shape[-1])
    usual = d**-0.5
    forward = choice.get("forward", "")
    scale = SCALES[forward](d) if forward in SCALES else usual
    axis = {"axis-2": -2, "axis-3": -3, "axis-0": 0}.get(forward, -1)
    p = softmax(q @ _t(k) * scale, axis)
    dp = d_out @ _t(v)
    rule = choice.get("rule", "")
    ds = RULES[rule](p, dp) if rule in RULES else p * (dp - _sum(p * dp, axis))
    back = choice.get("back", "")
    factors = {
        "none": (1.0, 1.0),
        "dq-none": (1.0, usual),
        "dk-none": (usual, 1.0),
        "twice": (usual**2, usual**2),
        "inverted": (d**0.5, d**0.5),
        "dq-twice": (usual**2, usual),
        "dk-twice": (usual, usual**2),
        "root-of-value-dim": (v.shape[-1] ** -0.5, v.shape[-1] ** -0.5),
    }
    for_q, for_k = factors.get(back, (scale, scale))
    turn_dk = _reshaped if choice.get("turn", "") in ("both-reshaped", "dk-reshaped") else _t
    turn_dv = _reshaped if choice.get("turn", "") in ("both-reshaped", "dv-reshaped") else _t
    square = p.shape[-1] == p.shape[-2]
    if choice.get("turn") in ("dk-not", "dv-not", "both-not", "dq-turned"):
        if not square:
            raise IndexError("only square scores multiply without a transpose")
        turn_dk = (lambda x: x) if choice["turn"] in ("dk-not", "both-not") else _t
        turn_dv = (lambda x: x) if choice["turn"] in ("dv-not", "both-not") else _t
    operand = choice.get("operand", "")
    dq = (_t(ds) if choice.get("turn") == "dq-turned" else ds) @ (q if operand == "dq-from-q" and square else k) * for_q
    dk = turn_dk(ds) @ (k if operand == "dk-from-k" and square else q) * for_k
    dv = turn_dv({"dv-from-ds": ds, "dv-from-dp": dp, "dv-scaled": p * usual}.get(operand, p)) @ d_out
    if operand == "dk-dv-swapped":
        dk, dv = dv, dk
    if operand == "dq-dk-swapped":
        dq, dk = dk, dq
    return dq, dk, dv


WRONG = (
    Wrong("back", "none", "backward-missing-scale"),
    Wrong("back", "dq-none", "backward-missing-scale"),
    Wrong("back", "dk-none", "backward-missing-scale"),
    Wrong("back", "twice", "scale-twice"),
    Wrong("back", "dq-twice", "scale-twice"),
    Wrong("back", "dk-twice", "scale-twice"),
    Wrong("back", "inverted", "scale-inverted"),
    Wrong("back", "root-of-value-dim", "scale-from-padded-dim"),
    Wrong("forward", "none", "missing-scale"),
    Wrong("forward", "d", "scale-by-d"),
    Wrong("forward", "inverted", "scale-inverted"),
    Wrong("forward", "axis-2", "softmax-wrong-axis"),
    Wrong("forward", "axis-3", "softmax-wrong-axis"),
    Wrong("forward", "axis-0", "softmax-wrong-axis"),
    Wrong("rule", "no-rowsum", "backward-missing-rowsum"),
    Wrong("rule", "diagonal", "backward-missing-rowsum"),
    Wrong("rule", "cross-entropy", "backward-cross-entropy"),
    *(Wrong("rule", axis, "softmax-wrong-axis") for axis in ("axis-2", "axis-3", "axis-0", "sum-of-all")),
    *(
        Wrong("rule", r, "gradient-wrong")
        for r in ("no-softmax", "sum-of-dp", "mean", "mean-of-dp", "outside", "plus", "negated", "swapped")
    ),
    *(
        Wrong("turn", t, "backward-transposed")
        for t in ("both-reshaped", "dk-reshaped", "dv-reshaped", "dk-not", "dv-not", "both-not", "dq-turned")
    ),
    *(
        Wrong("operand", o, "gradient-wrong")
        for o in ("dv-from-ds", "dv-from-dp", "dv-scaled", "dq-from-q", "dk-from-k", "dk-dv-swapped", "dq-dk-swapped")
    ),
)


def _large(case: Case, rng: Rng) -> None:
    logits = case["q"] @ _t(case["k"]) * case["scale"]
    case["q"] = as_float32(case["q"] * 300 / np.abs(logits).max())
    _forward(case)


def _shifted(amount: float) -> Callable[[Case, Rng], None]:
    def change(case: Case, rng: Rng) -> None:
        q, k = case["q"].copy(), case["k"].copy()
        q[..., 0] = 16.0
        k[..., 0] = amount / case["scale"] / 16.0
        case["q"], case["k"] = as_float32(q), as_float32(k)
        _forward(case)

    return change


def _logit_gradient(case: Case) -> float:
    """The size of an entry of ds that does not cancel."""
    return float(np.abs(case["d_out"] @ _t(case["v"])).max(initial=0.0)) * float(case["scale"])


def _logit_size(case: Case) -> float:
    """A bound of the scaled logits."""
    q, k = (float(np.sqrt((case[name] ** 2).sum(-1).max())) for name in ("q", "k"))
    return q * k * float(case["scale"])


TASK = Task(
    roles=(
        Role("q", r"q|qs|query|queries|qq|xq", "bhqd"),
        Role("k", r"k|ks|keys?|kk|xk", "bhkd"),
        Role("v", r"v|vs|values?|vv|val|xv", "bhke"),
        Role(
            "d_out",
            r"d(o|out|outs|output|y|attn|attnout|l|context|z)|g|go|gout|grads?|grad(o|out|"
            r"output|outputs|attn|upstream|y)?|upstream|(out|output|o|upstream)grad(ient)?|"
            r"dl?do(ut)?|dldo|dldout|cotangent|gradient",
            "bhqe",
        ),
        Role("out", r"o|out|outputs?|attnout|attentionoutput|y|forwardout", "bhqe", required=False),
        Role(
            "p",
            r"p|probs?|attn|attnweights?|weights?|attention(weights|probs)?|a|softmax(out)?|s",
            "bhqk",
            required=False,
        ),
        Role("lse", r"lse|l|logsumexp|softmaxlse", "bhq", required=False),
        Role("scale", r"scale|scaling|softmaxscale|smscale|alpha", kind="plain", required=False, left=True),
        Role("causal", r"(is)?causal", kind="plain", required=False),
        Role("mask", r".*mask.*", kind="plain", required=False),
    ),
    outputs=(
        Output("dq", "bhqd", r"(dq|gradq|qgrad|q|dquery|gq).*", lambda c: 0.1 * _logit_gradient(c) * largest(c, "k")),
        Output("dk", "bhkd", r"(dk|gradk|kgrad|k|dkey|gk).*", lambda c: 0.1 * _logit_gradient(c) * largest(c, "q")),
        Output("dv", "bhke", r"(dv|gradv|vgrad|v|dvalue|gv).*"),
    ),
    dims={"b": 3, "h": 2, "q": 5, "k": 7, "d": 11, "e": 13},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=WRONG,
    layouts=("BHSD", "HSD", "BSD", "SD", "BSHD"),
    shapes=(
        Shape("shape.batch-of-one", "B = 1", {"b": 1}),
        Shape("shape.square", "as many queries as keys, equal dims", {"q": 7, "e": 11}),
        Shape("shape.one-query", "Sq = 1", {"q": 1}),
        Shape("shape.one-key", "Sk = 1", {"k": 1}),
        Shape("shape.other-head-size", "head size 6", {"d": 6, "e": 4}),
        Shape("shape.long", "Sq = Sk = 65", {"q": 65, "k": 65, "b": 1}),
    ),
    narrower=(
        Narrow("value dim equal to key dim", {"e": 11}),
        Narrow("equal lengths", {"k": 5}),
        Narrow("equal lengths and equal dims", {"k": 5, "e": 11}),
        Narrow("a batch of one", {"b": 1}),
    ),
    probes=(
        Probe("large-logits", "logits up to ±300", _large, "no-max-subtraction"),
        Probe("shifted-up", "all logits + 280", _shifted(280.0), "no-max-subtraction"),
        Probe("shifted-down", "all logits - 280", _shifted(-280.0), "no-max-subtraction"),
        Probe("huge-logits", "all logits + 2000", _shifted(2000.0), "no-max-subtraction"),
    ),
    backward=("d_out", ("q", "k", "v")),
    forbidden=frozenset({"autograd", "softmax_backward"}),
    general="gradient-wrong",
    logits=_logit_size,
    question="softmax-backward",
)
