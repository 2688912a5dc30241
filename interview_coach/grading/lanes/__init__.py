"""The lanes of the attention exercises: each tries one kind of thing and records checks in the exam."""

from __future__ import annotations

from collections.abc import Callable

from interview_coach.grading.exam import Exam
from interview_coach.grading.lanes.cost import cost_lane
from interview_coach.grading.lanes.gradients import gradient_lane
from interview_coach.grading.lanes.half import half_lane
from interview_coach.grading.lanes.hygiene import hygiene_lane
from interview_coach.grading.lanes.masks import mask_lane
from interview_coach.grading.lanes.second_mask import second_mask_lane
from interview_coach.grading.lanes.semantics import causal_edges, causal_flag, formula_lane, shape_lane
from interview_coach.grading.lanes.stability import stability_lane

LANES: tuple[Callable[[Exam], None], ...] = (
    formula_lane,
    mask_lane,
    second_mask_lane,
    causal_flag,
    shape_lane,
    causal_edges,
    hygiene_lane,
    gradient_lane,
    stability_lane,
    half_lane,
)


def lanes_of(exam: Exam) -> tuple[Callable[[Exam], None], ...]:
    """The lanes for a submission: those of Triton kernels, where they run in the interpreter."""
    if not exam.hints.kernels and exam.exercise.id != "triton-flash":
        return LANES
    from interview_coach.grading.lanes.kernels import KERNEL_LANES, own_kernel

    claims = (own_kernel,) if exam.exercise.id == "triton-flash" else ()
    return (*(KERNEL_LANES if exam.hints.kernels else LANES), *claims)


__all__ = ["LANES", "cost_lane", "half_lane", "lanes_of", "shape_lane"]
