"""What a call costs, counted and not timed: operations, bytes, and how both grow with the length."""

from __future__ import annotations

from collections.abc import Callable

from interview_coach.grading.cases import Dims, make_case
from interview_coach.grading.exam import Exam
from interview_coach.grading.growth import LENGTHS, Growth, growth_of, joined, watches
from interview_coach.grading.report import CostSummary

SHORTER = tuple(n // 2 for n in LENGTHS)
QUICK_S, QUICK_KERNEL_S = 0.1, 0.3
"""Code that takes longer on 129 rows makes thousands of steps, each of which is counted: it is asked for fewer.
A kernel in the interpreter is timed on a few rows."""


def cost_lane(exam: Exam, lengths: tuple[int, ...] = LENGTHS) -> Callable[[], CostSummary | None] | None:
    """Has the calls made; what it returns waits for them."""
    if exam.slow:
        return None
    quick = exam.longest_s <= (QUICK_KERNEL_S if exam.hints.kernels else QUICK_S)
    if not quick:
        lengths = SHORTER
    kinds = watches(str(exam.subject.binding.framework))
    cases = [make_case(exam.subject, exam.rng(90, n), Dims(1, 1, n, n, 16, 16)) for n in lengths]
    asked = [[exam.subject.run(case, watch=watch) for watch in kinds] for case in cases]

    def summary() -> CostSummary | None:
        growth = growth_of(lengths, [joined([one.outcome for one in calls]) for calls in asked])
        if growth is not None and exam.exercise.id == "triton-flash":
            _claim(exam, growth)
        return None if growth is None else growth.summary()

    return summary


def _claim(exam: Exam, growth: Growth) -> None:
    """The exercise asks for memory that grows with the length."""
    exam.add(
        "efficiency.memory",
        "fail" if growth.square else "pass",
        f"extra memory grows with S^{growth.memory or 0.0:.1f} up to S = {growth.lengths[-1]}; "
        f"the largest single allocation is {growth.largest[-1]:,} bytes",
        "not-tiled",
        measured=growth.memory,
        allowed=1.0,
        unit="exponent",
    )
