"""``attention_fp16(q, k, v)``: half precision in and out."""

from __future__ import annotations

import numpy as np

from interview_coach.grading.functions.direct import (
    CAUSAL_OR_NOT,
    OPTIONS,
    QKV,
    TOP_LEFT,
    Change,
    draw_qkv,
    family_output,
    family_wrong,
    hidden_keys,
    masked_probes,
    scaled_logits,
)
from interview_coach.grading.functions.task import (
    NEVER,
    Case,
    Choice,
    Narrow,
    Output,
    Outputs,
    Probe,
    Rng,
    Shape,
    Task,
)
from interview_coach.grading.numbers import round_to, stable_attention
from interview_coach.oracles.attention import attention, causal_mask

_GAP = 100.0
"""How far the two largest logits of a row are kept apart, so that rounding does not decide between them."""


def _draw(case: Case, rng: Rng) -> None:
    draw_qkv(case, rng, 1.0, "float16")


def _truth(case: Case) -> Outputs:
    mask, causal = hidden_keys(case)
    return (attention(case["q"], case["k"], case["v"], mask, causal=causal),)


def _compute(case: Case, choice: Choice) -> Outputs:
    return (family_output(case, choice),)


def _careful(case: Case, dtype: str) -> Outputs:
    keep, causal = hidden_keys(case)
    if causal:
        earlier = causal_mask(case["q"].shape[-2], case["k"].shape[-2])
        keep = earlier if keep is None else earlier & keep
    return (stable_attention(case["q"], case["k"], case["v"], keep, dtype),)


def _as_drawn(case: Case, rng: Rng) -> None:
    """Nothing is changed: the sizes tell."""


def _unmask(case: Case) -> None:
    """Hide no key: how a mask is filled is asked elsewhere."""
    if case["mask"] is not None:
        case["mask"] = np.ones_like(case["mask"])


def _stretched(size: float) -> Change:
    """Products ``q · k`` up to ``size``, with one key ahead in each row."""

    def change(case: Case, rng: Rng) -> None:
        _unmask(case)
        for _ in range(100):
            root = (size * float(case["scale"]) / np.abs(scaled_logits(case)).max()) ** 0.5
            case["q"], case["k"] = (round_to(case[r] * root, "float16") for r in "qk")
            top = np.sort(scaled_logits(case), -1)
            if top.shape[-1] == 1 or (top[..., -1] - top[..., -2]).min() > _GAP:
                return
            case["q"], case["k"] = (round_to(rng.normal(size=case[r].shape), "float16") for r in "qk")

    return change


def _stepped(least: float, most: float) -> Change:
    """The keys' products with every query are spread evenly over a range, in random order."""

    def change(case: Case, rng: Rng) -> None:
        _unmask(case)
        q, k = case["q"].copy(), case["k"].copy()
        q[..., 0] = max(abs(least), abs(most)) ** 0.5
        k[..., 0] = rng.permutation(np.linspace(least, most, k.shape[-2])) / q[0, 0, 0, 0]
        case["q"], case["k"] = round_to(q, "float16"), round_to(k, "float16")

    return change


TASK = Task(
    roles=(*QKV, *OPTIONS),
    outputs=(Output("out", "bhqe", r"(out|o|y|context|attn).*"),),
    dims={"b": 3, "h": 2, "q": 5, "k": 7, "d": 11, "e": 13},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=family_wrong(),
    layouts=("BHSD", "BSHD", "HSD", "BSD", "SD"),
    alternatives=(CAUSAL_OR_NOT,),
    conventions=(TOP_LEFT,),
    shapes=(
        Shape("shape.batch-of-one", "B = 1", {"b": 1}),
        Shape("shape.square", "as many queries as keys, equal dims", {"q": 7, "e": 11}),
        Shape("shape.one-query", "Sq = 1", {"q": 1}),
        Shape("shape.one-key", "Sk = 1", {"k": 1}, {"causal": False}),
        Shape("shape.other-head-size", "head size 6", {"d": 6, "e": 4}),
        Shape("shape.long", "Sq = Sk = 129", {"q": 129, "k": 129, "b": 1}),
        Shape("formula.causal", "causal=True", set={"causal": True}, needs="causal"),
        Shape("formula.causal-square", "causal=True, S = 33", {"q": 33, "k": 33}, {"causal": True}, needs="causal"),
        Shape("mask.none", "mask=None", set={"mask": None}, default="mask"),
    ),
    narrower=(
        Narrow("value dim equal to key dim", {"e": 11}),
        Narrow("equal lengths", {"k": 5}),
        Narrow("equal lengths and equal dims", {"k": 5, "e": 11}),
        Narrow("a batch of one", {"b": 1}),
    ),
    probes=(
        Probe("large-logits", "scaled logits up to ±300", _stepped(-1000.0, 1000.0), "no-max-subtraction"),
        Probe("products-past-65504", "q·k up to ±120,000", _stretched(120000.0), "half-overflow-before-scale"),
        Probe("all-past-65504", "q·k from 70,000 to 190,000", _stepped(7e4, 1.9e5), "half-overflow-before-scale"),
        Probe("level-products", "q·k around 90,000 for every key", _stepped(9e4, 9e4), "half-overflow-before-scale"),
        Probe("many-keys", "2,000 keys", _as_drawn, "low-precision-inside", dims={"b": 1, "h": 1, "q": 3, "k": 2000}),
        Probe("logits-past-65504", "scaled logits up to ±120,000", _stretched(400000.0), promised=NEVER),
        *masked_probes("float16"),
    ),
    question="fp16-overflow-bf16",
    dtype="float16",
    careful=_careful,
)
