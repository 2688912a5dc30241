"""The mask parameter, and rows that a mask leaves nothing to attend to."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.binding import Argument
from interview_coach.grading.cases import make_case
from interview_coach.grading.diagnosis import FIT, Seen, residual
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.layouts import MaskForm
from interview_coach.grading.mask_inference import said_of
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.observation import Observation
from interview_coach.grading.prose import promises_zero_rows, states_additive, states_padding_mask
from interview_coach.grading.reference import truth


def mask_lane(exam: Exam) -> None:
    """The mask parameter: its effect, all-true, padding, additive values, a row with nothing to attend to."""
    form = exam.subject.binding.mask
    argument = exam.subject.mask_argument
    if argument is None:
        return
    if form is None:
        exam.add(
            "mask.usable",
            "fail",
            f"{argument.name}: no form of a mask ran (boolean, 0/1, additive, lengths)",
            "crashes-on-shape",
        )
        return
    _without(exam, argument, form)
    what = f"{form.shape} {form.meaning}"
    tries = [(f"mask.{form.meaning}-1", what), (f"mask.{form.meaning}-2", what), ("mask.all-kept", "nothing is masked")]
    cases = [make_case(exam.subject, exam.rng(30, number), exam.dims, masked=True) for number in (1, 2, 3)]
    assert cases[2].keep is not None
    cases[2].keep = np.ones_like(cases[2].keep)
    if form.meaning == "lengths":
        cases.pop()
    asked = [(case, exam.subject.run(case)) for case in cases]
    for (id, detail), (case, observed) in zip(tries, asked, strict=False):
        exam.compare(id, case, observed, detail=detail)
    _stated_shape(exam, argument, form)
    _broadcast(exam, argument, form)
    _other_shapes(exam, form)
    _additive(exam, form)
    _empty_rows(exam, form)
    if exam.failed("mask") and exam.inference.mask_fits is False and exam.inference.mask_choice is None:
        return


def _without(exam: Exam, argument: Argument, form: MaskForm) -> None:
    """What the code leaves to a mask that it must be given: to be causal, or to run at all."""
    binding = exam.subject.binding
    if argument.default is not None and binding.mask_needed:
        exam.add("mask.left-out", "warn", f"{argument.name}={argument.default}, but it raises without a mask")
    if exam.exercise.causal and not binding.causal and exam.hints.causal is None and binding.role("causal") is None:
        if form.padding:
            detail = f"{argument.name} hides keys from all queries alike, and nothing else makes it causal"
            exam.add("formula.causal", "fail", detail, "causal-missing")
        else:
            exam.inference.notes.append("the caller's mask makes it causal")


def _stated_shape(exam: Exam, argument: Argument, form: MaskForm) -> None:
    """A mask of the batch and the keys, where the file asks for one and another form is what fits."""
    said = said_of(argument, exam.subject, exam.hints.prose)
    if form.shape == "BK" or form.meaning == "lengths" or exam.subject.binding.layout.unbatched:
        return
    if not states_padding_mask(said):
        return
    bound = exam.subject.bound(mask=replace(form, shape="BK"))
    case = make_case(bound, exam.rng(37), exam.dims, masked=True)
    observed = bound.run(case)
    if observed.output is None or relative_error(observed.output, truth(case)) > FIT:
        detail = f"a mask (B, Sk), as the file has it: {observed.problem or 'wrong'}"
        exam.add("mask.stated-shape", "fail", detail[:300], "mask-wrong-broadcast")


_BROADCAST = (
    r"(broadcast\w* (to|with|against)|广播(到|为|成))[^.;。；\n(（\[]{0,24}[(（\[]\s*\w+\s*,\s*\w+\s*,\s*\w+\s*,\s*\w+"
)


def _broadcast(exam: Exam, argument: Argument, form: MaskForm) -> None:
    """A mask of its own for each batch entry, where the file takes what broadcasts to the scores and less fits."""
    if form.shape in ("B1QK", "BHQK") or form.meaning == "lengths" or exam.subject.binding.layout.unbatched:
        return
    if not re.search(_BROADCAST, said_of(argument, exam.subject, exam.hints.prose), re.I):
        return
    bound = exam.subject.bound(mask=replace(form, shape="B1QK"))
    case = make_case(bound, exam.rng(38), exam.dims, masked=True)
    observed = bound.run(case)
    if observed.output is None:
        detail = f"a mask (B, 1, Sq, Sk), which the file allows: {observed.problem}"
        exam.add("mask.broadcast", "fail", detail[:300], "crashes-on-shape")
    elif relative_error(observed.output, truth(case)) > FIT:
        exam.add(
            "mask.broadcast", "fail", "a mask (B, 1, Sq, Sk), which the file allows: wrong", "mask-wrong-broadcast"
        )


def _other_shapes(exam: Exam, form: MaskForm) -> None:
    """A mask of the other batch or head extent, where the form broadcasts; only if it runs."""
    if form.shape not in ("B1QK", "BHQK", "QK") or exam.subject.binding.layout.unbatched:
        return
    asked = []
    for shape in ("B1QK", "BHQK", "B11K") if form.shape != "QK" else ("B1QK", "BHQK"):
        if shape == form.shape:
            continue
        bound = exam.subject.bound(mask=replace(form, shape=shape))
        case = make_case(bound, exam.rng(31, len(shape)), exam.dims, masked=True)
        asked.append((shape, case, bound.run(case)))
    for shape, case, observed in asked:
        # Code for one mask of all entries may do anything with another; what a known mistake reproduces is one.
        if observed.output is not None and (form.shape != "QK" or _lands_elsewhere(case, observed)):
            exam.compare(f"mask.shape-{shape}", case, observed, detail=f"mask of shape {shape}")


def _lands_elsewhere(case: AttentionInputs, observed: Observation) -> bool:
    """Whether an output is that of a mask of another batch entry or head."""
    assert observed.output is not None
    seen = [Seen(case, observed.output)]
    return any(
        residual(ATTENTION, seen, {stage: name}) <= FIT
        for stage, name in ATTENTION.wrong()
        if ATTENTION.code(stage, name) == "mask-wrong-broadcast"
    )


def _additive(exam: Exam, form: MaskForm) -> None:
    promised = states_additive(exam.hints.prose)
    if form.meaning == "additive":
        _additive_values(exam, form)
        return
    if not promised or form.shape not in ("B1QK", "BHQK", "QK", "BQK"):
        return
    case = make_case(exam.subject, exam.rng(32), exam.dims)
    b, h = (1, 1) if form.shape == "QK" else (exam.dims.b, 1)
    sq, sk = _lengths(case)
    case.bias = np.asarray(exam.rng(33).normal(size=(b, h, sq, sk)), np.float32).astype(float)
    bound = exam.subject.bound(mask=replace(form, dtype="float32", meaning="additive"))
    sent = case.fresh()
    sent.bias = {"QK": lambda m: m[0, 0], "BQK": lambda m: m[:, 0]}.get(form.shape, lambda m: m)(case.bias)
    observed = bound.run(sent)
    if not exam.compare("mask.additive", case, observed, detail="floating mask, added to the scores"):
        _name_bias(exam, "mask.additive", case, observed)


def _additive_values(exam: Exam, form: MaskForm) -> None:
    """An additive mask with finite values, which tells adding from subtracting."""
    if form.padding:
        return
    case = make_case(exam.subject, exam.rng(35), exam.dims)
    sq, sk = _lengths(case)
    b = 1 if form.shape == "QK" or exam.subject.binding.layout.unbatched else exam.dims.b
    case.bias = np.asarray(exam.rng(36).normal(size=(b, 1, sq, sk)), np.float32).astype(float)
    sent = case.fresh()
    sent.bias = {"QK": lambda m: m[0, 0], "BQK": lambda m: m[:, 0]}.get(form.shape, lambda m: m)(case.bias)
    observed = exam.subject.run(sent)
    if not exam.compare("mask.additive-values", case, observed, detail="finite values added to the scores"):
        _name_bias(exam, "mask.additive-values", case, observed)


def _name_bias(exam: Exam, id: str, case: AttentionInputs, observed: Observation) -> None:
    """What became of values that were to be added: nothing, or they were subtracted."""
    assert case.bias is not None
    for code, bias in (("mask-ignored", None), ("mask-inverted", -case.bias)):
        other = case.fresh()
        other.bias = bias
        if observed.output is not None and relative_error(observed.output, truth(other)) <= FIT:
            exam.codes.setdefault(code, id)


def _lengths(case: AttentionInputs) -> tuple[int, int]:
    if case.q is not None and case.k is not None:
        return case.q.shape[-2], case.k.shape[-2]
    assert case.x is not None
    return case.x.shape[-2], (case.x if case.context is None else case.context).shape[-2]


def _empty_rows(exam: Exam, form: MaskForm) -> None:
    """A row (or a batch entry) that is masked everywhere: the others must not change."""
    if form.meaning == "lengths":
        return
    case = make_case(exam.subject, exam.rng(34), exam.dims, masked=True)
    assert case.keep is not None
    keep = case.keep.copy()
    if form.padding and keep.shape[0] == 1:
        return
    if form.padding:
        keep[0] = False
    else:
        keep[..., 1, :] = False
    case.keep = keep
    judge_empty_rows(exam, case, exam.subject.run(case), "mask.fully-masked-row")


def judge_empty_rows(exam: Exam, case: AttentionInputs, observed: Observation, id: str) -> None:
    """Rows with nothing to attend to: 0 is right, NaN or the mean is told, and other rows must be untouched."""
    expected = truth(case)
    empty = rows_without_a_key(case)
    if observed.output is None:
        exam.add(id, "warn", f"a row with nothing to attend to: {observed.problem}"[:300])
        return
    others = ~empty
    if not exam.compare(
        f"{id}-others", case, observed, rows=others, detail="rows beside one with nothing to attend to"
    ):
        if not np.isfinite(np.where(np.broadcast_to(others, expected.shape), observed.output, 0)).all():
            exam.codes.setdefault("fully-masked-nan", id)
        return
    got = observed.output[np.broadcast_to(empty, expected.shape)]
    want = expected[np.broadcast_to(empty, expected.shape)]
    if got.size == 0:
        return
    if np.isnan(got).any():
        code, text = "fully-masked-nan", "NaN where there is nothing to attend to (house convention: 0)"
    elif np.allclose(got, want, atol=1e-5):
        exam.add(id, "pass", "0 where there is nothing to attend to")
        return
    else:
        code, text = (
            "fully-masked-mean",
            "a mean of the values where there is nothing to attend to (house convention: 0)",
        )
    if promises_zero_rows(exam.hints.prose):
        exam.add(id, "fail", text + "; the file promises 0", code)
    else:
        exam.add(id, "warn", text, question="fully-masked-row")


def rows_without_a_key(case: AttentionInputs) -> Array:
    """Boolean, broadcastable to the output: queries without a key."""
    sq, sk = _lengths(case)
    allowed: Array = np.ones((1, 1, sq, sk), bool)
    if case.keep is not None:
        allowed = allowed & case.keep
    if case.causal:
        allowed = allowed & (np.arange(sk) <= np.arange(sq)[:, None] + case.first_position(sq, sk))
    rows: Array = np.logical_not(np.any(allowed, axis=-1, keepdims=True))
    return rows if case.weights is None else np.any(rows, axis=1)
