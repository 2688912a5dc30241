"""What a function costs, and whether one by tiles really holds no more than a few of them."""

from __future__ import annotations

from functools import cache
from typing import Any

from interview_coach.grading.functions.exam import FunctionExam
from interview_coach.grading.functions.task import Case
from interview_coach.grading.growth import LENGTHS, LONGER, Growth, Run, Watch, measure, settle
from interview_coach.grading.protocol import Outcome
from interview_coach.grading.report import CostSummary

WIDTH = 8
"""Of heads: small, so that what grows with the square of the length is soon the larger part."""
_TILES = 8
"""The longest length is so many tiles."""


def function_cost(exam: FunctionExam, lengths: tuple[int, ...] = LENGTHS) -> CostSummary | None:
    """Counts of one call, and for exercises by tiles the check that they ask for."""
    if not any(a in exam.task.dims for a in exam.task.grows):
        return None
    growth = _measured(exam, lengths)
    if growth is None:
        if exam.task.tiled:
            exam.add("efficiency.memory", "skip", "raises, or takes too long, at the lengths that are measured")
        return None
    growth = _by_tiles(exam, growth) if exam.task.tiled else settle(growth, *_runner(exam, lengths))
    return growth.summary()


def _by_tiles(exam: FunctionExam, growth: Growth) -> Growth:
    """With and without a causal mask; what is not clearly linear is looked at again at longer lengths."""
    worst = growth
    flags: tuple[dict[str, Any], ...] = ({}, {"causal": True}) if "causal" in exam.roles else ({},)
    for values in flags:
        seen = growth if not values else _measured(exam, LENGTHS, **values)
        if seen is not None and not seen.linear:
            seen = _measured(exam, LONGER, **values) or seen
        if seen is not None and (seen.square, seen.memory or 0.0) > (worst.square, worst.memory or 0.0):
            worst = seen
        if seen is not None and values == {}:
            growth = worst = seen
    text = f"extra memory grows with S^{worst.memory or 0.0:.1f} up to S = {worst.lengths[-1]}"
    text += f"; the largest single allocation is {worst.largest[-1]:,} bytes"
    exam.add(
        "efficiency.memory",
        "fail" if worst.square else "pass",
        text,
        "not-tiled",
        measured=worst.memory,
        allowed=1.0,
        unit="exponent",
    )
    return worst if worst.square else growth


def _measured(exam: FunctionExam, lengths: tuple[int, ...], **values: Any) -> Growth | None:
    if any(exam.narrow.dims.get(a, 0) >= lengths[0] for a in exam.task.grows):
        lengths = tuple(4 * n for n in lengths)
    return measure(*_runner(exam, lengths, **values), lengths)


def _runner(exam: FunctionExam, lengths: tuple[int, ...], **values: Any) -> tuple[Run, str]:
    """Makes calls at lengths, and the framework they are made in."""
    tiles = (
        {r.name: lengths[-1] // _TILES for r in exam.task.roles if r.name.startswith("block")}
        if exam.task.tiled
        else {}
    )

    @cache
    def case(length: int) -> Case:
        dims = {a: 1 for a in "bhg" if a in exam.task.dims} | {a: WIDTH for a in "de" if a in exam.task.dims}
        dims |= {a: length for a in exam.task.grows if a in exam.task.dims}
        return exam.case(90, length, dims=dims, **tiles, **values)

    def run(length: int, watch: Watch) -> Outcome:
        return exam.subject.call(case(length), watch=watch)

    return run, str(exam.subject.binding.framework)
