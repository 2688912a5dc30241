"""What a call costs, counted and not timed: operations, bytes, and how the bytes grow with the length."""

from __future__ import annotations

import math

from interview_coach.grading.cases import Dims, make_case
from interview_coach.grading.exam import Exam
from interview_coach.grading.report import CostSummary

LENGTHS = (128, 256)


def cost_lane(exam: Exam) -> CostSummary | None:
    """Bytes and operations at the longer length, and the exponent fitted between the two."""
    if exam.slow:
        return None
    peaks: list[int] = []
    flops = 0
    for length in LENGTHS:
        case = make_case(exam.subject, exam.rng(90, length), Dims(1, 1, length, length, 16, 16))
        observed = exam.subject.run(case, watch=frozenset({"memory"}))
        cost = observed.outcome.cost
        if cost is None:
            return None
        peaks.append(cost.peak_bytes)
        flops = cost.flops
    if min(peaks) <= 0:
        return CostSummary(flops=flops, peak_bytes=peaks[-1])
    exponent = math.log(peaks[1] / peaks[0]) / math.log(LENGTHS[1] / LENGTHS[0])
    return CostSummary(flops=flops, peak_bytes=peaks[-1], memory_exponent=round(exponent, 2))
