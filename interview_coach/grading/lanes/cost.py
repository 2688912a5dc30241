"""What a call costs, counted and not timed: operations, bytes, and how the bytes grow with the length."""

from __future__ import annotations

import math
from collections.abc import Callable

from interview_coach.grading.cases import Dims, make_case
from interview_coach.grading.exam import Exam
from interview_coach.grading.protocol import Outcome
from interview_coach.grading.report import CostSummary

LENGTHS, SHORTER = (128, 256), (64, 128)
QUICK_S = 0.02
"""Code that takes longer on 129 rows makes thousands of steps, each of which is counted: it is asked for fewer."""


def cost_lane(exam: Exam) -> Callable[[], CostSummary | None] | None:
    """Has the calls made; what it returns waits for them."""
    if exam.slow:
        return None
    lengths = LENGTHS if exam.longest_s <= QUICK_S else SHORTER
    cases = [make_case(exam.subject, exam.rng(90, n), Dims(1, 1, n, n, 16, 16)) for n in lengths]
    asked = [exam.subject.run(case, watch=frozenset({"memory"})) for case in cases]
    return lambda: _summary([observed.outcome for observed in asked])


def _summary(outcomes: list[Outcome]) -> CostSummary | None:
    """Bytes and operations at the longer length, and the exponent fitted between the two."""
    known = [one.cost for one in outcomes if one.cost is not None and one.failure is None]
    if len(known) < len(outcomes):
        return None
    peaks, flops = [cost.peak_bytes for cost in known], known[-1].flops
    if min(peaks) <= 0:
        return CostSummary(flops=flops, peak_bytes=peaks[-1])
    exponent = math.log(peaks[1] / peaks[0]) / math.log(2.0)
    return CostSummary(flops=flops, peak_bytes=peaks[-1], memory_exponent=round(exponent, 2))
