"""What a call costs, counted and not timed: operations, bytes, and how both grow with the length."""

from __future__ import annotations

from collections.abc import Callable

from interview_coach.grading.cases import Dims, make_case
from interview_coach.grading.exam import Exam
from interview_coach.grading.growth import LENGTHS, growth_of
from interview_coach.grading.report import CostSummary

SHORTER = tuple(n // 2 for n in LENGTHS)
QUICK_S = 0.02
"""Code that takes longer on 129 rows makes thousands of steps, each of which is counted: it is asked for fewer."""


def cost_lane(exam: Exam) -> Callable[[], CostSummary | None] | None:
    """Has the calls made; what it returns waits for them."""
    if exam.slow:
        return None
    lengths = LENGTHS if exam.longest_s <= QUICK_S else SHORTER
    cases = [make_case(exam.subject, exam.rng(90, n), Dims(1, 1, n, n, 16, 16)) for n in lengths]
    asked = [exam.subject.run(case, watch=frozenset({"memory"})) for case in cases]

    def summary() -> CostSummary | None:
        growth = growth_of(lengths, [observed.outcome for observed in asked])
        return None if growth is None else growth.summary()

    return summary
