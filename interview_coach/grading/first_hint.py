"""Which of an exercise's three hints comes first: the one that speaks of what failed first."""

from __future__ import annotations

from collections.abc import Mapping

from interview_coach.exercises import exercises
from interview_coach.grading.report import Check, Report

LEVELS = 3

# For what an exercise's own table does not name; its keys are those of Exercise.first_hint.
_GENERAL: Mapping[str, int] = {
    "formula": 1,
    "shape": 1,
    "mask": 2,
    "gradient": 3,
    "stability": 2,
    "dtype": 2,
    "hygiene": 3,
    "efficiency": 3,
    "crashes-on-shape": 1,
    "batch-mixed": 1,
    "mask.fully-masked-row": 3,
    "mask.before-first-key": 3,
    "mask.additive": 3,
    "fully-masked-nan": 3,
    "fully-masked-mean": 3,
    "stability.first-tile-masked": 3,
}


def first_failing(report: Report) -> Check | None:
    """The first check that failed, else the first with a remark."""
    for status in ("fail", "warn"):
        for check in report.checks:
            if check.status == status:
                return check
    return None


def first_hint(report: Report) -> int:
    """The level, 1 to 3, of the hint to show first.

    A named bug decides before the check that failed; code that does not run at all starts at the first hint.
    """
    if report.exercise is None or report.error is not None:
        return 1
    exercise = exercises().get(report.exercise)
    tables = (exercise.first_hint if exercise else {}, _GENERAL)
    keys = [key for d in report.diagnosis[:1] for key in (d.code, f"{d.code.partition('-')[0]}-")]
    check = first_failing(report)
    if check is not None:
        keys += [check.id, check.group]
    return next((table[key] for key in keys for table in tables if key in table), 1)
