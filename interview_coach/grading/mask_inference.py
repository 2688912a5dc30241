"""The form and the meaning of a mask parameter, found by trying."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from interview_coach.grading.cases import make_case
from interview_coach.grading.contract import Argument, Observation
from interview_coach.grading.diagnosis import FIT, Seen, explain, residual
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.hints import Hints
from interview_coach.grading.inference import Inference
from interview_coach.grading.layouts import Layout, MaskForm
from interview_coach.grading.roles import stated_polarity, states_additive


def mask_forms(argument: Argument, prose: str, layout: Layout, projected: bool) -> list[MaskForm]:
    """Forms of a mask to try, the likeliest first."""
    folded = argument.name.lower()
    key_side = (
        "pad" in folded
        or "context" in folded
        or "memory" in folded
        or "key" in folded
        or bool(
            re.search(
                r"mask[^\n]{0,30}[(\[（]\s*(b|batch\w*|n|bs)\s*,\s*(s\w?|l\w?|t\w?|n\w?|m|seq\w*|\w*len\w*|context\w*|ctx\w*|src\w*)( length)?\s*[)\]）]",
                prose,
                re.I,
            )
        )
    )
    if layout.unbatched:
        shapes = ["QK", "K"]
    elif key_side:
        shapes = ["BK", "B11K", "B1K", "B1QK", "BQK", "QK"]
    elif layout.ndim == 3 and not projected:
        shapes = ["BQK", "QK", "BK", "B1K", "B1QK"]
    else:
        shapes = ["B1QK", "BHQK", "QK", "BQK", "BK", "B11K", "B1K"]
    kinds = [("bool", "keep"), ("int64", "keep"), ("float32", "keep"), ("float32", "additive")]
    if argument.role == "bias":
        kinds = [("float32", "additive"), *kinds[:3]]
    if argument.role == "lengths":
        return [MaskForm("lengths", "int64", "lengths")]
    return [MaskForm(shape, dtype, meaning) for dtype, meaning in kinds for shape in shapes]


def infer_mask(result: Inference, hints: Hints) -> None:
    """Find the form and meaning of the mask parameter, and bind it."""
    subject = result.subject
    argument = subject.mask_argument
    if argument is None:
        return
    stated = hints.mask or stated_polarity(hints.prose)
    base = result.choice or {}
    ran: list[tuple[MaskForm, AttentionInputs, Observation]] = []
    rng = np.random.default_rng([subject.seed, 2])
    for form in mask_forms(argument, hints.prose, subject.binding.layout, subject.binding.projected):
        bound = subject.bound(mask=form)
        case = make_case(bound, rng, result.dims, masked=True)
        observed = bound.run(case)
        if observed.failure is not None and observed.failure.kind in ("timeout", "memory"):
            return
        if observed.output is None:
            continue
        ran.append((form, case, observed))
        if form.meaning == "additive" and stated in ("keep", "drop") and not states_additive(hints.prose):
            continue
        meanings = [form.meaning]
        if form.meaning in ("keep", "drop"):
            meanings = [stated] if stated in ("keep", "drop") else ["keep", "drop"]
        for meaning in meanings:
            assert case.keep is not None
            trial = case.fresh()
            trial.keep = ~case.keep if meaning == "drop" else case.keep
            if residual(ATTENTION, [Seen(trial, observed.output)], base) <= FIT:
                result.subject = subject.bound(mask=replace(form, meaning=meaning))
                result.mask_fits, result.mask_choice = True, {}
                return
    result.mask_fits = False
    if not ran:
        return
    for form, case, observed in ran:
        assert observed.output is not None and case.keep is not None
        meaning = stated if stated in ("keep", "drop") and form.meaning in ("keep", "drop") else form.meaning
        trial = case.fresh()
        trial.keep = ~case.keep if meaning == "drop" else case.keep
        found = explain(ATTENTION, [Seen(trial, observed.output)], pairs=False, prior=[base] if base else [])
        found = [f for f in found if "mask-ignored" not in ATTENTION.codes(f.choice)] or found
        if found:
            result.subject = subject.bound(mask=replace(form, meaning=meaning))
            result.mask_choice = found[0].choice
            return
    form = ran[0][0]
    result.subject = subject.bound(
        mask=replace(form, meaning=stated if stated and form.meaning in ("keep", "drop") else form.meaning)
    )
