"""``flash_attention(q, k, v, causal=False, block_size=64) -> (out, lse)``."""

from __future__ import annotations

import numpy as np

from interview_coach.grading.family import ATTENTION
from interview_coach.grading.functions.direct import (
    BASE_TWO,
    CAUSAL_OR_NOT,
    OPTIONS,
    QKV,
    TOP_LEFT,
    family_output,
    family_wrong,
    hidden_keys,
    large,
    logit_size,
    masked_probes,
    shifted,
    sloped,
)
from interview_coach.grading.functions.task import (
    NEVER,
    Array,
    Case,
    Choice,
    Output,
    Outputs,
    Probe,
    Rng,
    Shape,
    Task,
    Wrong,
)
from interview_coach.grading.functions.tiled import (
    BLOCKS,
    CAUSAL,
    CAUSAL_LENGTHS,
    EMPTY_ROWS,
    LENGTHS,
    NARROWER,
    SIZES,
    draw,
    flow,
    hidden_by_tiles,
    tile,
)
from interview_coach.grading.functions.tiles import FAULTS, LSE, Fault, attend
from interview_coach.oracles.flash import flash_attention, log_sum_exp

LN2 = float(np.log(2.0))
_WHOLE = ("softmax", "mix")
"""Stages of the family that are no part of a loop over tiles."""
_BASES = {"base-two": LN2, "log2e-kept": 1 / LN2}
"""Variants of the softmax that are a factor of the logits, and so one of the log-sum-exp as well."""


def _truth(case: Case) -> Outputs:
    mask, causal = hidden_keys(case)
    out, lse = flash_attention(case["q"], case["k"], case["v"], mask, causal=causal)
    return out, np.asarray(lse * lse.dtype.type(1 / LN2)) if case.get("base_two") else lse


def _compute(case: Case, choice: Choice) -> Outputs:
    if choice.get("operand") == "swapped":
        if case["k"].shape != case["v"].shape:
            raise ValueError("keys and values of other sizes")
        case = {**case, "k": case["v"], "v": case["k"]}
    f = flow(case, choice)
    logits = f.logits if f.allowed is None else np.where(f.allowed, f.logits, -np.inf)
    if "tiles" in choice:
        seen = hidden_by_tiles(case, choice["tiles"])
        usual = flow({**case, "causal": False}, choice).logits
        logits = logits if seen is None else np.where(seen, usual, -np.inf)
    whole = {s: n for s, n in choice.items() if s in _WHOLE}
    if (factor := _BASES.get(choice.get("softmax", ""))) is not None:
        logits, whole = logits * factor, {}
    name, _, size = choice.get("loop", "").partition("@")
    keys, rows = tile(case, size) if name else (logits.shape[-1], logits.shape[-2])
    fault = FAULTS[name][0] if name else Fault()
    out, peak, total = attend(logits, f.value, keys, rows, fault)
    if whole:
        out = family_output(case, {s: n for s, n in choice.items() if s in ATTENTION.stages})
    lse = _lse(choice.get("lse", ""), peak, total, logits, float(case["scale"]))
    return out, lse / LN2 if case.get("base_two") else lse


def _lse(kind: str, peak: Array, total: Array, logits: Array, scale: float) -> Array:
    with np.errstate(all="ignore"):
        if kind == "of-unscaled":
            return log_sum_exp(logits / scale)
        if kind == "mean":
            return np.asarray(log_sum_exp(logits) - np.log(logits.shape[-1]))
        return LSE[kind](peak, total, scale)


_CODES = dict.fromkeys(("base-two", "half-base-two", "half-base-e", "times-ln2"), "lse-wrong base-two-exponent")
WRONG = (
    *(w for w in family_wrong() if "not-rescaled" not in w.code and "max-" not in w.code and "tail" not in w.code),
    *(
        Wrong("loop", f"{name}@{size}", code, alone=size != "given")
        for size in SIZES
        for name, (_, code) in FAULTS.items()
    ),
    *(
        Wrong("tiles", f"{name}@{size}", code, alone=size != "given")
        for size in SIZES
        for name, (_, code) in CAUSAL.items()
    ),
    *(Wrong("lse", k, _CODES.get(k, "lse-wrong")) for k in (*LSE, "of-unscaled", "mean") if k),
    Wrong("operand", "swapped", "values-keys-swapped", alone=True),
)


def _first_tile_hidden(case: Case, rng: Rng) -> None:
    keep = np.arange(case["dims"]["k"]) >= case["dims"]["k"] - 3
    case["mask"] = keep


_ROW = {"b": 1, "q": 5, "k": 200}
TASK = Task(
    roles=(*QKV, *BLOCKS, *OPTIONS),
    outputs=(
        Output("out", "bhqe", r"(o|out|output|y).*"),
        Output("lse", "bhq", r"(lse|l|logsumexp|softmaxlse).*", lambda case: 1.0, rows=True),
    ),
    dims={"b": 3, "h": 2, "q": 5, "k": 7, "d": 11, "e": 13},
    draw=draw,
    truth=_truth,
    compute=_compute,
    wrong=WRONG,
    layouts=("BHSD", "BSHD", "HSD", "BSD", "SD", "SHD"),
    alternatives=(CAUSAL_OR_NOT,),
    conventions=(TOP_LEFT, BASE_TWO),
    shapes=(
        *LENGTHS,
        *CAUSAL_LENGTHS,
        Shape("mask.none", "mask=None", set={"mask": None}, default="mask"),
        Shape(
            "mask.before-first-key",
            "causal=True, Sq = 9, Sk = 5: queries that see no key",
            {"q": 9, "k": 5},
            {"causal": True, "unasked": {}},
            "fully-masked-nan",
            needs="causal",
            promised=EMPTY_ROWS,
        ),
    ),
    narrower=NARROWER,
    probes=(
        Probe("large-logits", "logits up to ±300", large(300.0), "no-max-subtraction"),
        Probe("shifted-up", "all logits + 280", shifted(280.0), "no-max-subtraction"),
        Probe("shifted-down", "all logits - 280", shifted(-280.0), "no-max-subtraction"),
        Probe("rising", "logits rise by 300 across tiles", sloped(0.0, 300.0), "no-max-subtraction", dims=_ROW),
        Probe("falling", "logits fall by 300 across tiles", sloped(0.0, -300.0), "no-max-subtraction", dims=_ROW),
        Probe("rising-short", "logits rise by 600 within a few keys", sloped(-300.0, 300.0), "no-max-subtraction"),
        Probe("falling-short", "logits fall by 600 within a few keys", sloped(300.0, -300.0), "no-max-subtraction"),
        Probe("huge-logits", "all logits + 2000", shifted(2000.0), "no-max-subtraction"),
        Probe("far-down", "all logits - 2000", shifted(-2000.0), "max-initialised-finite", promised=NEVER),
        Probe("farther-down", "all logits - 20000", shifted(-20000.0), "max-initialised-finite", promised=NEVER),
        Probe(
            "first-tile-masked",
            "all but the last three keys are masked",
            _first_tile_hidden,
            "inf-minus-inf",
            role="mask",
        ),
        Probe(
            "first-tiles-masked",
            "all but the last three of 200 keys are masked",
            _first_tile_hidden,
            "inf-minus-inf",
            dims=_ROW,
            role="mask",
        ),
        *masked_probes(),
    ),
    forbidden=frozenset(),
    logits=logit_size,
    question="flash-attention",
    grouped=True,
    tiled=True,
)
