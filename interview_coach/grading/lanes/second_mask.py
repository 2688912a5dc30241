"""Masks beside the first: a key padding mask next to an attention mask, each alone and both together.

A parameter that is called a mask may be something else (a factor a head, a mask for another input). So a difference is
a failure only where a known mistake reproduces it; the rest is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from interview_coach.grading.binding import Argument
from interview_coach.grading.cases import make_case
from interview_coach.grading.codes import message
from interview_coach.grading.contract import Subject
from interview_coach.grading.diagnosis import FIT, Seen, residual
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.inference import Inference
from interview_coach.grading.mask_inference import infer_mask
from interview_coach.grading.polarity import stated_polarity
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.prose import states_exclusive
from interview_coach.grading.roles import MASKS

_UNUSED = r"unused|not used|no effect|compatib|placeholder|未使用|不使用|没有用|兼容|占位"
_SECOND = "second mask"
_OTHER_USES = ("mask-ignored", "mask-after-softmax", "mask-added-as-bool")
"""What a parameter may do that is no mask of these keys."""


def second_mask_lane(exam: Exam) -> None:
    """Each further mask of the signature."""
    binding = exam.subject.binding
    masks = [a for a in binding.arguments if a.role in MASKS]
    first = exam.subject.mask_argument
    if first is None or exam.failed("formula", "mask"):
        return
    for argument in masks:
        if argument is not first and (argument.name in binding.blanks or None not in (argument.default, first.default)):
            _try(exam, argument, masks)


def _try(exam: Exam, argument: Argument, masks: list[Argument]) -> None:
    binding = exam.subject.binding
    first, blanks = exam.subject.mask_argument, dict(binding.blanks)
    if blanks.pop(argument.name, None) is not None and first is not None and binding.mask is not None:
        blanks[first.name] = binding.mask
    alone = tuple(
        replace(a, role="") if a in masks and a is not argument and a.name not in blanks else a
        for a in binding.arguments
    )
    bound = exam.subject.bound(arguments=alone, mask=None, mask_name=argument.name, mask_needed=False, blanks=blanks)
    trial = Inference(bound, {}, exam.dims)
    infer_mask(trial, exam.hints)
    subject, choice = trial.subject, trial.mask_choice
    if choice is not None and "mask-ignored" in ATTENTION.codes(choice) and _described(exam, argument):
        exam.add(f"mask.{argument.name}", "fail", f"{argument.name}: {message('mask-ignored')}", "mask-ignored")
        return
    if subject.binding.mask is None or choice is None or set(ATTENTION.codes(choice)) & set(_OTHER_USES):
        if argument.name in binding.blanks:
            name = binding.info.name
            text = f"{name} needs {argument.name}, and what that does is no mask of the keys in any form tried"
            raise CannotGrade("contract", text, final=True)
        return
    codes = ATTENTION.codes(choice)
    if trial.mask_fits:
        exam.add(f"mask.{argument.name}", "pass")
    elif _reproduced(exam, subject, choice):
        # The first mask is right: what is wrong is told here, not by all observations at once.
        exam.add(f"mask.{argument.name}", "fail", f"{argument.name}: {message(codes[0])}", codes[0])
        return
    if trial.mask_fits and exam.inference.mask_fits and not states_exclusive(exam.hints.prose):
        _together(exam, argument, subject)


def _described(exam: Exam, argument: Argument) -> bool:
    """Whether the file says what True means in this mask, and not that it is there for nothing."""
    name = re.compile(rf"(?<!\w){re.escape(argument.name)}(?!\w)")
    clauses = [c for c in re.split(r"[;；\n]", exam.hints.prose) if name.search(c)]
    return any(stated_polarity(c) for c in clauses) and not any(re.search(_UNUSED, c, re.I) for c in clauses)


def _reproduced(exam: Exam, subject: Subject, choice: Mapping[str, str]) -> bool:
    """Whether a mistake reproduces two more outputs."""
    cases = [make_case(subject, exam.rng(45, number), exam.dims, masked=True) for number in (1, 2)]
    outputs = [subject.run(case).output for case in cases]
    seen = [Seen(case, out) for case, out in zip(cases, outputs, strict=True) if out is not None]
    return len(seen) == len(cases) and residual(ATTENTION, seen, dict(choice)) <= FIT


def _together(exam: Exam, argument: Argument, other: Subject) -> None:
    """Both masks in one call: what either hides is hidden."""
    first, second = exam.subject.binding.mask, other.binding.mask
    assert first is not None and second is not None
    arguments = tuple(
        replace(a, role=_SECOND) if a.name == argument.name else a for a in exam.subject.binding.arguments
    )
    bound = exam.subject.bound(arguments=arguments)
    case = make_case(bound, exam.rng(46), exam.dims, masked=True)
    hidden = make_case(other, exam.rng(47), exam.dims, masked=True)
    assert case.keep is not None and hidden.keep is not None
    case.keep, hidden.keep = case.keep.copy(), hidden.keep.copy()
    case.keep[..., 0] = hidden.keep[..., 0] = True
    observed = bound.run(case, extra={_SECOND: second.encode(hidden.keep)})
    if observed.output is None:
        return
    both = case.fresh()
    both.keep, both.padding = case.keep & hidden.keep, False
    if residual(ATTENTION, [Seen(both, observed.output)], {}) <= FIT:
        exam.add("mask.both", "pass", "both masks together")
    elif any(
        residual(ATTENTION, [Seen(_with(case, keep), observed.output)], {}) <= FIT for keep in (case.keep, hidden.keep)
    ):
        exam.add("mask.both", "fail", f"{argument.name} and the other mask: one replaces the other", "mask-overwritten")


def _with(case: AttentionInputs, keep: np.ndarray) -> AttentionInputs:
    one = case.fresh()
    one.keep, one.padding = keep, False
    return one
