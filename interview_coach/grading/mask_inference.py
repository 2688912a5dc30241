"""The form and the meaning of a mask parameter, found by trying."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from interview_coach.grading.binding import Argument
from interview_coach.grading.cases import Dims, make_case
from interview_coach.grading.contract import Subject
from interview_coach.grading.diagnosis import FIT, Seen, explain, residual
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.hints import Hints
from interview_coach.grading.inference import Inference
from interview_coach.grading.layouts import Layout, MaskForm
from interview_coach.grading.observation import Observation
from interview_coach.grading.polarity import stated_polarity
from interview_coach.grading.prose import states_additive, states_both_masks


def mask_forms(argument: Argument, hints: Hints, layout: Layout, projected: bool) -> list[MaskForm]:
    """Forms of a mask to try, the likeliest first."""
    prose = hints.prose
    folded = argument.name.lower()
    key_side = (
        "pad" in folded
        or "context" in folded
        or "memory" in folded
        or "key" in folded
        or bool(
            re.search(
                r"mask[^\n]{0,30}[(\[（]\s*(b|batch\w*|n|bs)\s*,\s*"
                r"(s\w?|l\w?|t\w?|n\w?|m|seq\w*|\w*len\w*|context\w*|ctx\w*|src\w*)( length)?\s*[)\]）]",
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
    if layout.name in ("SBC", "SBHD"):
        shapes.insert(1, "QKB")
    kinds = [("bool", "keep"), ("int64", "keep"), ("float32", "keep"), ("float32", "additive")]
    if argument.role == "bias":
        kinds = [("float32", "additive"), *kinds[:3]]
    if argument.role == "lengths":
        return [MaskForm("lengths", "int64", "lengths")]
    held = re.search(rf"(?<![\w.]){re.escape(argument.name)}\s*\.\s*(_?mask)\b", hints.code)
    field = held.group(1) if held else ""
    return [MaskForm(shape, dtype, meaning, field) for dtype, meaning in kinds for shape in shapes]


_MOST_FORMS = 24
"""So many forms are explained: what no mistake explains in those, none does in the rest. It reaches additive masks."""
Tried = tuple[MaskForm, AttentionInputs, Observation]


def infer_mask(result: Inference, hints: Hints) -> None:
    """Find the form and meaning of the mask parameter, and whether it may be left out; bind both."""
    if result.subject.mask_argument is None:
        _unnamed(result, hints)
        return
    _find_form(result, hints)
    subject = result.subject
    argument, mask = subject.mask_argument, subject.binding.mask
    if mask is None or argument is None or argument.default is not None:
        return
    plain = make_case(subject, np.random.default_rng([subject.seed, 3]), result.dims)
    observed = subject.run(plain)
    if observed.failure is not None:
        needed = observed.failure.kind in ("crash", "import")
        subject.guest.missing = None  # of a mask that is made where none is given
    else:
        seen = [] if observed.output is None else [Seen(plain, observed.output)]
        needed = result.choice is not None and residual(ATTENTION, seen, result.choice) > FIT
    if needed:
        result.subject = subject.bound(mask_needed=True)


def _unnamed(result: Inference, hints: Hints) -> None:
    """An optional parameter whose name says nothing is a mask, if the numbers say so."""
    for argument in result.subject.binding.arguments if result.choice == {} else ():
        if argument.role or argument.default != "None":
            continue
        arguments = tuple(replace(a, role="mask") if a is argument else a for a in result.subject.binding.arguments)
        trial = Inference(result.subject.bound(arguments=arguments), {}, result.dims)
        _find_form(trial, hints)
        codes = ATTENTION.codes(trial.mask_choice or {})
        if trial.mask_fits or (codes and "mask-ignored" not in codes):
            result.subject, result.mask_fits, result.mask_choice = trial.subject, trial.mask_fits, trial.mask_choice
            return


def said_of(argument: Argument, subject: Subject, prose: str) -> str:
    """The lines of the prose that speak of one mask, where there are several; those that name none speak of all."""
    others = [a.name for a in subject.binding.arguments if a.role in ("mask", "bias", "lengths", "") and a != argument]
    others = [name for name in others if "mask" in name or "pad" in name or "bias" in name]

    def names(line: str, name: str) -> bool:
        return re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", line) is not None

    lines = prose.splitlines()
    return "\n".join(x for x in lines if names(x, argument.name) or not any(names(x, name) for name in others))


def _find_form(result: Inference, hints: Hints) -> None:
    """Find the form and meaning of the mask parameter, and bind it.

    Where no form fits, the first that a known mistake explains is bound; equal lengths are tried last, for masks that
    act on the wrong axis.
    """
    subject = result.subject
    argument = subject.mask_argument
    if argument is None:
        return
    hints = replace(hints, prose=said_of(argument, subject, hints.prose))
    stated = hints.mask or stated_polarity(hints.prose) or _found(subject)
    square = replace(result.dims, sk=result.dims.sq)
    tried: list[Tried] = []
    for dims in dict.fromkeys((result.dims, square)):
        tried = _try_forms(result, hints, dims, stated)
        added = [t for t in tried if t[0].meaning == "additive"]
        if stated is None and added and states_additive(hints.prose):
            tried = added
        if result.mask_fits or _bind_explained(result, tried, stated):
            return
    if tried and result.subject.binding.mask is None:
        result.subject = subject.bound(mask=_meant(tried[0][0], stated))


def _found(subject: Subject) -> str | None:
    """``drop`` where an array of ones hid everything and one of zeros nothing; the contrary says less."""
    mask = subject.binding.mask
    return "drop" if mask is not None and mask.meaning == "drop" else None


def _meant(form: MaskForm, stated: str | None) -> MaskForm:
    return replace(form, meaning=stated) if stated and form.meaning in ("keep", "drop") else form


def _read_as(case: AttentionInputs, meaning: str) -> AttentionInputs:
    """The case as it is when what was sent means ``meaning``."""
    assert case.keep is not None
    trial = case.fresh()
    trial.keep = ~case.keep if meaning == "drop" else case.keep
    return trial


def _try_forms(result: Inference, hints: Hints, dims: Dims, stated: str | None) -> list[Tried]:
    """Send a random mask in each form; the first form that agrees with the oracle is bound."""
    subject, base = result.subject, result.choice or {}
    argument = subject.mask_argument
    assert argument is not None
    tried: list[Tried] = []
    rng = np.random.default_rng([subject.seed, 2])
    result.mask_fits = False
    for form in mask_forms(argument, hints, subject.binding.layout, subject.binding.projected):
        bound = subject.bound(mask=form)
        case = make_case(bound, rng, dims, masked=True)
        observed = bound.run(case)
        if observed.failure is not None and observed.failure.kind in ("timeout", "memory"):
            return tried
        if observed.output is None:
            continue
        tried.append((form, case, observed))
        added = states_additive(hints.prose) and not (len(tried) > 1 and states_both_masks(hints.prose))
        if form.meaning == "additive" and stated in ("keep", "drop") and not added:
            continue  # what it says of a boolean mask must hold
        meanings = [form.meaning]
        if form.meaning in ("keep", "drop"):
            meanings = [stated] if stated in ("keep", "drop") else ["keep", "drop"]
        for meaning in meanings:
            if residual(ATTENTION, [Seen(_read_as(case, meaning), observed.output)], base) <= FIT:
                result.subject = subject.bound(mask=replace(form, meaning=meaning))
                result.mask_fits, result.mask_choice = True, {}
                return tried
    return tried


def _bind_explained(result: Inference, tried: list[Tried], stated: str | None) -> bool:
    """Bind the first form whose output a known mistake explains; one that ignores the mask comes last."""
    base = result.choice or {}
    ignored: tuple[MaskForm, dict[str, str]] | None = None
    for form, case, observed in tried[:_MOST_FORMS]:
        assert observed.output is not None
        meaning = _meant(form, stated)
        trial = _read_as(case, meaning.meaning)
        unused = {**base, "mask": "ignored"}
        if residual(ATTENTION, [Seen(trial, observed.output)], unused) <= FIT:
            ignored = ignored or (meaning, {"mask": "ignored"})
            continue
        for one in explain(ATTENTION, [Seen(trial, observed.output)], pairs=False, prior=[base] if base else []):
            if "mask-ignored" in ATTENTION.codes(one.choice):
                ignored = ignored or (meaning, one.choice)
                continue
            result.subject, result.mask_choice = result.subject.bound(mask=meaning), one.choice
            return True
    if ignored is not None:
        result.subject, result.mask_choice = result.subject.bound(mask=ignored[0]), ignored[1]
        return True
    return False
