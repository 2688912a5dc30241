"""From the checks and observations of a softmax to the names of its bugs."""

from __future__ import annotations

import numpy as np

from interview_coach.grading.diagnosis import FIT, explain
from interview_coach.grading.family import SOFTMAX
from interview_coach.grading.lanes.hygiene import uses_empty
from interview_coach.grading.report import Diagnosis
from interview_coach.grading.softmax_exam import SoftmaxExam
from interview_coach.grading.submission import Submission
from interview_coach.grading.verdict import named, not_finite
from interview_coach.oracles.attention import softmax


def diagnose_softmax(exam: SoftmaxExam, submission: Submission) -> tuple[Diagnosis, ...]:
    """Bugs of a softmax."""
    found: dict[str, Diagnosis] = {}
    scope = exam.info.name
    failed = {c.group for c in exam.checks if c.status == "fail"}
    if failed & {"formula", "shape"}:
        for code, distance in _explain(exam)[:1]:
            found[code] = named(submission, scope, code, distance)
        if not found and not_finite(exam.seen) and uses_empty(submission.tree) is not None:
            found["uninitialised-memory"] = named(submission, scope, "uninitialised-memory")
        if not found and _half_softmax(exam):
            found["low-precision-inside"] = named(submission, scope, "low-precision-inside")
    for code in exam.codes:
        if code == "crashes-on-shape" and found:
            continue
        found.setdefault(code, named(submission, scope, code))
    return tuple(found.values())


def _half_softmax(exam: SoftmaxExam) -> bool:
    """Whether the errors are of the size that fp16 or bf16 arithmetic makes."""
    errors = [float(np.max(np.abs(s.output - softmax(s.case.x, s.case.axis)), initial=0.0)) for s in exam.seen[:3]]
    return bool(errors) and 1e-5 < max(errors) < 2e-2


def _explain(exam: SoftmaxExam) -> list[tuple[str, float]]:
    """Codes that reproduce every ordinary observation."""
    found = explain(SOFTMAX, [s for s in exam.seen[:5] if s.output.shape == s.case.x.shape], pairs=False)
    return [(code, one.residual) for one in found if one.residual <= FIT for code in SOFTMAX.codes(one.choice)]
