"""What a call costs, counted and not timed: operations, bytes, and how both grow with the length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interview_coach.grading.cases import Dims, make_case
from interview_coach.grading.contract import Subject
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.growth import (
    LENGTHS,
    LONGER,
    Growth,
    Run,
    Watch,
    growth_of,
    joined,
    measure,
    settle,
    watches,
)
from interview_coach.grading.protocol import Outcome
from interview_coach.grading.report import CostSummary
from interview_coach.grading.roles import size_role

LINEAR_MEMORY = frozenset({"triton-flash", "flash-forward"})
"""Exercises that ask for memory that grows with the length."""
SHORTER, SHORTEST = tuple(n // 2 for n in LENGTHS), tuple(n // 4 for n in LENGTHS)
QUICK_S, QUICK_KERNEL_S = 0.1, 0.3
"""Code that takes longer on 129 rows makes thousands of steps, each of which is counted: it is asked for fewer.
A kernel in the interpreter is timed on a few rows."""


def cost_lane(exam: Exam, lengths: tuple[int, ...] = LENGTHS) -> Callable[[], CostSummary | None] | None:
    """Has the calls made; what it returns waits for them."""
    if exam.slow:
        return None
    quick = exam.longest_s <= (QUICK_KERNEL_S if exam.hints.kernels else QUICK_S)
    if not quick:
        lengths = SHORTEST if exam.row_by_row else SHORTER
    framework, subject = str(exam.subject.binding.framework), _subject(exam)
    cases = [_case(exam, subject, n) for n in lengths]
    asked = [[subject.run(case, watch=watch) for watch in watches(framework)] for case in cases]

    def summary() -> CostSummary | None:
        growth = growth_of(lengths, [joined([one.outcome for one in calls]) for calls in asked], least=2)
        if growth is None:
            return None
        if exam.exercise.id in LINEAR_MEMORY:
            longer = None if growth.linear or exam.hints.kernels else measure(_runner(exam), framework, LONGER)
            _claim(exam, longer or growth)
        elif quick and not exam.hints.kernels:
            growth = settle(growth, _runner(exam), framework, 2 * _tile(exam.subject))
        return growth.summary()

    return summary


def _case(exam: Exam, subject: Subject, length: int) -> AttentionInputs:
    return make_case(subject, exam.rng(90, length), Dims(1, 1, length, length, 16, 16))


def _runner(exam: Exam) -> Run:
    """Calls at lengths beyond the usual: what is not clear there may have tiles as large as the short sequences."""
    subject = _subject(exam)

    def run(length: int, watch: Watch) -> Outcome:
        return subject.run(_case(exam, subject, length), watch=watch).outcome

    return run


def _subject(exam: Exam) -> Subject:
    """The submission; where tiles are asked for, what its constructor calls a block is a tile, and left as it is."""
    if exam.exercise.id not in LINEAR_MEMORY or not exam.subject.binding.needs_instance:
        return exam.subject
    return exam.subject.bound(sizes=replace(exam.subject.binding.sizes, length=1))


def _tile(subject: Subject) -> int:
    """What a constructor that offers a length of blocks was given for it, which may be that of a tile; else 0."""
    offered = (p for p in subject.binding.info.parameters if p.default is not None and size_role(p.name) == "length")
    return subject.binding.sizes.length if subject.binding.needs_instance and any(offered) else 0


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
