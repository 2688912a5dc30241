"""What the exercises on attention of given queries, keys and values share: roles, cases, probes, wrong variants."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.linear import CAUSAL, SUM
from interview_coach.grading.functions.sending import MASK_FORMS
from interview_coach.grading.functions.task import (
    Alternative,
    Array,
    Case,
    Choice,
    Convention,
    Probe,
    Rng,
    Role,
    Wrong,
    as_float32,
    normal,
)
from interview_coach.grading.numbers import round_to
from interview_coach.grading.stated import states_base_two, states_top_left

Change = Callable[[Case, Rng], None]

QKV = (
    Role("q", r"q|qs|query|queries|qq|xq|qi|qmat|querystates?|queryin|qin|qtensor|qh|qhalf|q16", "bhqd"),
    Role("k", r"k|ks|keys?|kk|xk|kj|kmat|keystates?|kin|ktensor|kh|khalf|k16", "bhkd"),
    Role("v", r"v|vs|values?|vv|val|xv|vj|vmat|valuestates?|vin|vtensor|vh|vhalf|v16", "bhke"),
)
OPTIONS = (
    Role("causal", r"(is|use)?causal(mask|flag)?|autoregressive|masked", kind="plain", required=False),
    Role("mask", r".*mask.*|keep|visible", kind="int", required=False, forms=tuple(MASK_FORMS)),
    Role("scale", r"scale|scaling|sm(scale)?|softmaxscale|smscale|tau", kind="plain", required=False, left=True),
    Role("dropout", r"dropout(p|rate|prob)?|p?drop(out)?|attndropout", kind="plain", required=False, left=True),
    Role(
        "flag",
        r"training|train|verbose|debug|returnlse|returnsoftmaxlse|returnaux",
        kind="plain",
        required=False,
        left=True,
    ),
)
"""What may be handed over as well, and is asked of no one."""

CAUSAL_OR_NOT = Alternative(
    "causal",
    (False, True),
    missing="causal",
    notes=("", "causal"),
    promises=("", r"(?s)^(?!.*(non[- ]?|not |no |without )causal).*(\bcausal|autoregressive|因果)"),
    code="causal-missing",
)
"""Code without a causal flag is the one or the other; what it says decides where the numbers do not."""

TOP_LEFT = Convention(
    "top_left",
    states_top_left,
    "the causal mask is aligned to the top left, as the file says",
    {"causal": True},
)
BASE_TWO = Convention("base_two", states_base_two, "log-sum-exps are in base 2, as the file says")


def draw_qkv(case: Case, rng: Rng, spread: float = 1.3, dtype: str = "float32") -> None:
    """Queries, keys and values, and what :data:`OPTIONS` stand for."""
    case["q"] = round_to(normal(case, rng, "bhqd", spread), dtype)
    case["k"] = round_to(normal(case, rng, "bhkd", spread), dtype)
    case["v"] = round_to(normal(case, rng, "bhke", 1.0, 0.5), dtype)
    case.setdefault("causal", False)
    if "mask" in case.get("taken", ()):
        hidden = rng.permutation(case["dims"]["k"])[: case["dims"]["k"] // 3]
        keep = np.ones(case["dims"]["k"], bool)
        keep[hidden] = False
        case.setdefault("mask", keep)
    else:
        case.setdefault("mask", None)
    case["scale"] = float(case["dims"]["d"]) ** -0.5
    case["dropout"], case["flag"] = 0.0, False


def visible(case: Case) -> Array | None:
    """The mask of a case, broadcastable to ``(B, H, Sq, Sk)``; without one ``None``."""
    mask: Array | None = case.get("mask")
    return mask


def hidden_keys(case: Case) -> tuple[Array | None, bool]:
    """The mask and the causal flag of a case, as the oracles take them, which align to the bottom right."""
    mask, causal = visible(case), bool(case["causal"])
    if not (causal and case.get("top_left")):
        return mask, causal
    earlier = np.tri(case["q"].shape[-2], case["k"].shape[-2], dtype=bool)
    return earlier if mask is None else earlier & mask, False


def inputs(case: Case) -> AttentionInputs:
    """A case as inputs of the family of attentions."""
    keep = visible(case)
    return AttentionInputs(
        heads=case["q"].shape[1],
        q=case["q"],
        k=case["k"],
        v=case["v"],
        keep=None if keep is None else np.broadcast_to(keep, (case["q"].shape[0], 1, 1, keep.shape[-1])),
        padding=keep is not None,
        causal=bool(case["causal"]),
        top_left=bool(case.get("top_left")),
    )


def family_output(case: Case, choice: Choice) -> Array:
    """The output of the family of attentions; a variant that has no meaning for a case changes nothing."""
    given = inputs(case)
    parts = [choice, *({s: n} for s, n in choice.items() if len(choice) > 1), {}]
    for part in parts:
        try:
            return ATTENTION.evaluate(given.fresh(), part)
        except NotApplicable:
            continue
    raise ValueError("no variant has a meaning for these sizes")


_NEVER = (
    *("missing-symmetric", "missing-flat", "input-width", "repeated", "rows-repeated", "first", "over-heads"),
    *(*SUM, *CAUSAL),
)
"""Variants that take a window, projections, a feature map, or a mask that differs between queries or batch entries."""
_PAIRED = ("scale", "causal", "softmax")
_STAGES = ("scores", "scale", "causal", "mask", "fill", "softmax", "mix")


def family_wrong(stages: tuple[str, ...] = _STAGES) -> tuple[Wrong, ...]:
    """Wrong variants of the family; what has to do with the formula is tried in pairs as well."""
    return tuple(
        Wrong(stage, name, code, alone=stage not in _PAIRED or not ATTENTION.pairable(stage, name))
        for stage, name in ATTENTION.wrong()
        if stage in stages and name not in _NEVER and (code := ATTENTION.code(stage, name)) is not None
    )


# ── probes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def scaled_logits(case: Case) -> Array:
    """``q kᵀ`` times the scale."""
    logits: Array = case["q"] @ np.swapaxes(case["k"], -1, -2) * case["scale"]
    return logits


def logit_size(case: Case) -> float:
    """A bound of the scaled logits."""
    q, k = (float(np.sqrt((case[name] ** 2).sum(-1).max(initial=0.0))) for name in ("q", "k"))
    return q * k * float(case["scale"])


def large(size: float) -> Change:
    """Queries stretched until the largest scaled logit is ``size``."""

    def change(case: Case, rng: Rng) -> None:
        case["q"] = as_float32(case["q"] * (size / np.abs(scaled_logits(case)).max()))

    return change


def sloped(start: float, end: float) -> Change:
    """Logits moved by ``start`` at the first key to ``end`` at the last, by a channel that is constant in q."""

    def change(case: Case, rng: Rng) -> None:
        q, k = case["q"].copy(), case["k"].copy()
        q[..., 0] = 16.0
        k[..., 0] = np.linspace(start, end, k.shape[-2]) / (case["scale"] * 16.0)
        case["q"], case["k"] = as_float32(q), as_float32(k)

    return change


def shifted(amount: float) -> Change:
    """All logits of a row moved by ``amount``."""
    return sloped(amount, amount)


def causal_too(change: Change) -> Change:
    """The change, with ``causal=True``."""

    def both(case: Case, rng: Rng) -> None:
        change(case, rng)
        case["causal"] = True

    return both


def masked_probes(dtype: str = "float32") -> tuple[Probe, ...]:
    """Kept logits below a weak fill, and large values under it, for code that takes a mask or a causal flag."""

    def rounded(change: Change) -> Change:
        def narrow(case: Case, rng: Rng) -> None:
            change(case, rng)
            for role in "qkv":
                case[role] = round_to(case[role], dtype)

        return narrow

    def heavy(case: Case, rng: Rng) -> None:
        values = case["v"].copy()
        values[..., ~case["mask"], :] *= 1e4
        case["v"] = values

    return (
        *(
            Probe(
                f"{role}-below-{-size:.0f}",
                f"{words} kept logits around {size:.0f}",
                rounded(causal_too(shifted(size)) if role == "causal" else shifted(size)),
                "mask-fill-weak",
                role=role,
            )
            for role, words in (("mask", "masked:"), ("causal", "causal=True:"))
            for size in (-200.0, -20000.0)
        ),
        Probe("masked-huge-values", "values of 10,000 under the mask", rounded(heavy), "mask-fill-weak", role="mask"),
    )
