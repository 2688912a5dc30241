"""Which of an exercise's three hints comes first: the one that speaks of what failed first."""

from __future__ import annotations

from collections.abc import Mapping

from interview_coach.grading.report import Check, Report

LEVELS = 3

# What failed → the level of the hint that speaks of it: the code of a bug, the id of a check, else its group. A key
# that ends in a hyphen stands for all codes that start so.
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
_BY_EXERCISE: Mapping[str, Mapping[str, int]] = {
    "softmax": {
        "softmax-wrong-axis": 2,
        "formula": 3,
        "softmax-missing": 3,
        "no-max-subtraction": 1,
        "stability": 1,
        "stability.minus-infinity": 3,
        "stability.all-minus-infinity": 3,
        "dtype": 1,
    },
    "sdpa": {
        "missing-scale": 2,
        "scale-": 2,
        "scale-after-softmax": 1,
        "softmax-wrong-axis": 2,
        "softmax-missing": 1,
        "scores-transposed": 2,
        "mask-added-as-bool": 3,
        "mask-inverted": 3,
        "mask-overwritten": 3,
    },
    "causal": {
        "mask": 1,
        "formula": 2,
        "causal-top-left": 1,
        "causal-missing": 1,
        "causal-reversed": 2,
        "causal-leaks-next": 2,
        "causal-hides-self": 2,
        "missing-scale": 3,
        "scale-": 3,
        "softmax-wrong-axis": 3,
    },
    "multi-head": {
        "scale-": 2,
        "missing-scale": 2,
        "heads-": 2,
        "output-projection-missing": 3,
        "projection-reused": 3,
        "values-keys-swapped": 3,
        "softmax-wrong-axis": 3,
        "mask": 3,
    },
    "cross-attention": {
        "context-ignored": 1,
        "queries-from-context": 1,
        "mask-on-queries": 2,
        "mask-wrong-broadcast": 2,
        "missing-scale": 3,
        "scale-": 3,
        "output-projection-missing": 3,
        "mask-inverted": 3,
    },
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
    tables = (_BY_EXERCISE.get(report.exercise, {}), _GENERAL)
    keys = [key for d in report.diagnosis[:1] for key in (d.code, f"{d.code.partition('-')[0]}-")]
    check = first_failing(report)
    if check is not None:
        keys += [check.id, check.group]
    return next((table[key] for key in keys for table in tables if key in table), 1)
