"""``online_softmax(x, block_size)``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.grading.functions.task import (
    NEVER,
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


def _draw(case: Case, rng: Rng) -> None:
    case["x"] = normal(case, rng, "bhqk", 1.5)
    case.setdefault("block", 4)
    case["axis"] = -1
    case["initial"] = None


def _truth(case: Case) -> Outputs:
    return (softmax(case["x"]),)


def _pass(x: Array, size: int, choice: Choice) -> Array:
    """The pass over blocks, with a switch for each thing that can go wrong in it."""
    n = x.shape[-1]
    keep_max, rescale = choice.get("max", ""), choice.get("denominator", "")
    m = np.full((*x.shape[:-1], 1), -np.inf)
    total = np.zeros_like(m)
    out = np.zeros_like(x)
    last = n // size * size if choice.get("tail") in ("dropped", "uncounted") else n
    for start in range(0, last, size):
        block = x[..., start : start + size]
        if choice.get("tail") == "zero-padded" and block.shape[-1] < size:
            block = np.concatenate([block, np.zeros((*block.shape[:-1], size - block.shape[-1]))], -1)
        peak = block.max(-1, keepdims=True)
        new = peak if keep_max == "of-block" or not start else np.maximum(m, peak)
        if keep_max == "first" and start:
            new = m
        correction = np.where(np.isneginf(m), 0.0, np.exp(m - new))
        if rescale == "inverse":
            correction = np.where(np.isneginf(m), 0.0, np.exp(new - m))
        if rescale == "by-block-max":
            correction = np.where(np.isneginf(m), 0.0, np.exp(m - peak))
        if rescale == "base-two":
            correction = np.where(np.isneginf(m), 0.0, np.exp2(m - new))
        part = np.exp(block - (peak if rescale in ("block-terms", "block-sums") else new))
        mine = part.sum(-1, keepdims=True)
        if rescale in ("none", "block-sums") or keep_max == "of-block":
            total = total + mine
        elif rescale == "all-rescaled":
            total = (total + mine) * np.where(np.isneginf(m), 1.0, np.exp(m - new))
        elif rescale == "last-block":
            total = mine
        elif rescale == "mean":
            total = total * correction + part.mean(-1, keepdims=True)
        elif rescale == "max-only":
            total = total * correction + np.exp(peak - new)
        else:
            total = total * correction + mine
        width = min(size, n - start)
        if choice.get("written") in ("kept", "sofar-rescaled-by-max", "sofar"):
            if choice["written"] != "sofar" and start:
                out[..., :start] *= correction
            out[..., start : start + width] = (
                part[..., :width] / total if choice["written"] != "kept" else part[..., :width]
            )
        elif choice.get("written") == "not-rescaled":
            out[..., start : start + width] = part[..., :width]
        elif choice.get("written") == "block-softmax":
            out[..., start : start + width] = part[..., :width] / mine
        m = new
    if choice.get("written") in ("not-rescaled", "kept"):
        return np.asarray(out / total)
    if choice.get("written"):
        return out
    if choice.get("tail") == "dropped":
        out = np.exp(x - m) / total
        return np.asarray(np.where(np.arange(n) < last, out, 0.0))
    return np.asarray(np.exp(x - (0 if keep_max == "not-in-numerator" else m)) / total)


def _compute(case: Case, choice: Choice) -> Outputs:
    x, size = case["x"], int(case["block"])
    rule = choice.get("rule", "")
    n = x.shape[-1]
    if rule == "base-two":
        return (softmax(x * np.log(2.0)),)
    if rule in ("axis-2", "axis-3", "axis-0"):
        return (softmax(x, {"axis-2": -2, "axis-3": -3, "axis-0": 0}[rule]),)
    if rule == "all":
        return (softmax(x.reshape(-1)).reshape(x.shape),)
    if rule == "double":
        return (softmax(softmax(x)),)
    if rule == "missing":
        return (np.exp(x - x.max(-1, keepdims=True)),)
    if rule == "log":
        return (np.log(softmax(x)),)
    if rule == "per-block":
        return (np.concatenate([softmax(x[..., i : i + size]) for i in range(0, n, size)], -1),)
    if rule == "per-block-averaged":
        parts = [softmax(x[..., i : i + size]) for i in range(0, n, size)]
        return (np.concatenate(parts, -1) / len(parts),)
    if rule == "tail-uncounted":
        last = n // size * size
        e = np.exp(x - x.max(-1, keepdims=True))
        return (e / e[..., :last].sum(-1, keepdims=True),)
    if rule == "tail-uncounted-max":
        last = n // size * size
        if not last:
            raise IndexError("no whole block")
        e = np.exp(x - x[..., :last].max(-1, keepdims=True))
        return (e / e[..., :last].sum(-1, keepdims=True),)
    if rule == "tail-zero":
        last = n // size * size
        if not last:
            return (np.zeros_like(x),)
        out = np.zeros_like(x)
        out[..., :last] = softmax(x[..., :last])
        return (out,)
    if rule == "first-counted-twice":
        e = np.exp(x - x.max(-1, keepdims=True))
        return (e / (e.sum(-1, keepdims=True) + e[..., :size].sum(-1, keepdims=True)),)
    return (_pass(x, size, choice),)


WRONG = (
    *(
        Wrong("denominator", d, "denominator-not-rescaled")
        for d in (
            "none",
            "inverse",
            "all-rescaled",
            "by-block-max",
            "block-terms",
            "block-sums",
            "last-block",
            "mean",
            "max-only",
        )
    ),
    Wrong("denominator", "base-two", "base-two-exponent denominator-not-rescaled"),
    Wrong("max", "of-block", "max-not-kept"),
    Wrong("written", "not-rescaled", "accumulator-not-rescaled"),
    Wrong("written", "sofar-rescaled-by-max", "accumulator-not-rescaled"),
    Wrong("written", "sofar", "accumulator-not-rescaled"),
    Wrong("written", "block-softmax", "denominator-not-rescaled accumulator-not-rescaled"),
    Wrong("max", "not-in-numerator", "accumulator-not-rescaled"),
    *(Wrong("rule", r, "softmax-wrong-axis") for r in ("axis-2", "axis-3", "axis-0", "all")),
    Wrong("rule", "base-two", "base-two-exponent"),
    Wrong("rule", "double", "double-softmax"),
    Wrong("rule", "missing", "softmax-missing"),
    Wrong("rule", "log", "softmax-missing"),
    Wrong("rule", "per-block", "denominator-not-rescaled"),
    Wrong("rule", "per-block-averaged", "denominator-not-rescaled"),
    *(Wrong("rule", r, "tail-dropped") for r in ("tail-uncounted", "tail-uncounted-max", "tail-zero")),
    Wrong("tail", "zero-padded", "tail-not-masked"),
    Wrong("tail", "dropped", "tail-dropped"),
    Wrong("tail", "uncounted", "tail-dropped"),
    Wrong("rule", "first-counted-twice", "denominator-not-rescaled"),
)


def _shifted(amount: float) -> Callable[[Case, Rng], None]:
    def change(case: Case, rng: Rng) -> None:
        case["x"] = as_float32(case["x"] + amount)

    return change


def _sloped(amount: float) -> Callable[[Case, Rng], None]:
    def change(case: Case, rng: Rng) -> None:
        case["x"] = as_float32(case["x"] + np.linspace(0, amount, case["x"].shape[-1]))

    return change


def _scaled(case: Case, rng: Rng) -> None:
    case["x"] = as_float32(case["x"] * 300 / np.abs(case["x"]).max())


def _some_hidden(case: Case, rng: Rng) -> None:
    x = case["x"].copy()
    x[..., 1::3] = -np.inf
    case["x"] = x


def _first_block_hidden(case: Case, rng: Rng) -> None:
    x = case["x"].copy()
    x[..., : int(case["block"])] = -np.inf
    case["x"] = x


def _last_block_hidden(case: Case, rng: Rng) -> None:
    x = case["x"].copy()
    x[..., -3:] = -np.inf
    case["x"] = x


def _row_hidden(case: Case, rng: Rng) -> None:
    x = case["x"].copy()
    x[..., 0, :] = -np.inf
    case["x"] = x


_HIDDEN = r"-\s*inf|neg(ative)?[_ ]?inf|−∞|-∞|masked|负无穷|遮|屏蔽|掩"
_ROWS = (
    r"(all|every\w*|only|fully|entire\w*|whole|整|全)[^.。\n]{0,30}(-\s*inf|masked|−∞|"
    r"负无穷|遮|屏蔽)|(-\s*inf|负无穷)[^.。\n]{0,20}(row|everywhere|整行)"
)
TASK = Task(
    roles=(
        Role("x", r"x|xs|logits?|scores?|s|z|inputs?|a|v|t|row|rows|inp|arr", "bhqk", grad=True),
        Role(
            "block",
            r"(block|tile|chunk)(size|len|width|n|k|c|s)?|bs|b|bc|bk|blk|size|step|n|t|"
            r"blocksz|width|k",
            kind="plain",
            required=False,
        ),
        Role("axis", r"dim|axis", kind="plain", required=False),
        Role("initial", r"eps|init\w*", kind="plain", required=False),
    ),
    outputs=(Output("p", "bhqk", r"(p|out|probs?|softmax|y).*", lambda case: 1.0),),
    dims={"b": 3, "h": 2, "q": 5, "k": 11},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=WRONG,
    layouts=("BHSD", "HSD", "SD", "D"),
    shapes=(
        Shape("shape.batch-of-one", "B = 1", {"b": 1}),
        Shape("shape.one-row", "one row", {"q": 1}),
        Shape("formula.blocks-fit", "12 logits in blocks of 4", {"k": 12}),
        Shape("formula.blocks-of-one", "blocks of 1", set={"block": 1}),
        Shape("formula.blocks-of-two", "11 logits in blocks of 2", set={"block": 2}),
        Shape("formula.one-block", "one block that is larger than the row", set={"block": 64}),
        Shape("formula.exact-block", "one block, exactly the row", set={"block": 11}),
        Shape("shape.one-logit", "one logit", {"k": 1}),
        Shape("shape.tile-plus-one", "17 logits in blocks of 16", {"k": 17}, {"block": 16}),
        Shape("shape.long", "257 logits in blocks of 32", {"k": 257, "b": 1}, {"block": 32}),
    ),
    probes=(
        Probe("large-logits", "logits up to ±300", _scaled, "no-max-subtraction"),
        Probe("shifted-up", "all logits + 280", _shifted(280.0), "no-max-subtraction"),
        Probe("shifted-down", "all logits - 280", _shifted(-280.0), "no-max-subtraction"),
        Probe("rising", "logits rise by 300 along the row", _sloped(300.0), "no-max-subtraction"),
        Probe("falling", "logits fall by 300 along the row", _sloped(-300.0), "no-max-subtraction"),
        Probe("huge-logits", "all logits + 10000", _shifted(10000.0), "no-max-subtraction"),
        Probe("far-down", "all logits - 20000", _shifted(-20000.0), "max-initialised-finite", promised=NEVER),
        Probe("minus-infinity", "-inf entries", _some_hidden, "inf-minus-inf", promised=_HIDDEN),
        Probe("last-hidden", "-inf in the last entries", _last_block_hidden, "inf-minus-inf", promised=_HIDDEN),
        Probe(
            "first-tile-masked", "a first block of only -inf", _first_block_hidden, "inf-minus-inf", promised=_HIDDEN
        ),
        Probe("all-minus-infinity", "a row of only -inf", _row_hidden, "fully-masked-nan", promised=_ROWS, needs="q"),
    ),
    logits=lambda case: largest(case, "x"),
    question="online-softmax",
    telling="block",
    grows="k",
    strict_gradient=False,
)
