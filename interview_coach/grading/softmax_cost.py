"""What a softmax costs on rows that get longer."""

from __future__ import annotations

import numpy as np

from interview_coach.grading.growth import LENGTHS, Watch, measure, settle
from interview_coach.grading.protocol import Outcome
from interview_coach.grading.report import CostSummary
from interview_coach.grading.softmax_exam import SHAPES, SoftmaxExam


def softmax_cost(exam: SoftmaxExam, lengths: tuple[int, ...] = LENGTHS) -> CostSummary | None:
    """Counts of one call, and how they grow with the length of the rows."""
    rows = SHAPES[4 - exam.ndim][:-1]

    def run(length: int, watch: Watch) -> Outcome:
        x = np.asarray(exam.rng(90, length).normal(size=(*rows, length)), np.float32).astype(np.float64)
        return exam.call(x, watch=watch)

    growth = measure(run, str(exam.framework), lengths)
    return None if growth is None else settle(growth, run, str(exam.framework)).summary()
