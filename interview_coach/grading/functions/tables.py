"""Tables that a file computes for the function that is graded: what is wrong in them is a bug of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from interview_coach.grading.functions.exam import FunctionExam
from interview_coach.grading.functions.signature import size_letter
from interview_coach.grading.functions.task import Array, Case
from interview_coach.grading.protocol import Call, CallableInfo, Tensor, Value
from interview_coach.grading.roles import fold

_NAMES = re.compile(r"freq|rope|rotary|cos|cis|angle|theta|table|cache|precompute", re.IGNORECASE)
_BASE = re.compile(r"(rope|rotary|freq)?(base|theta)|thetabase|basefreq")
_CONSTANTS = (10000.0, 500000.0, 1000000.0, 1000.0, 100.0)
"""Bases that a file may have written in."""


def check_own_tables(exam: FunctionExam, check: str, roles: tuple[str, ...]) -> None:
    """Grade the function on tables that the file's own function made, where it has one and they go together.

    Args:
        check: The id under which it is recorded.
        roles: The roles of the tables, in the order in which they come back.
    """
    if roles[0] not in exam.roles or exam.failed():
        return
    for info in exam.subject.guest.info.callables:
        if info.kind != "function" or not _NAMES.search(info.name) or info.name == exam.subject.binding.info.name:
            continue
        runs = [(case, exam.subject.run(case)) for case in _cases(exam, info, roles)]
        if not runs or runs[0][1].outputs is None:
            continue
        for case, observed in runs:
            if exam.compare(check, case, observed, detail=f"with the tables of {info.name}", see=False):
                return
            exam.checks.pop()
        exam.compare(check, *runs[0], detail=f"with the tables of {info.name}")
        return


def _cases(exam: FunctionExam, info: CallableInfo, roles: tuple[str, ...]) -> Iterator[Case]:
    """A case with the file's own tables for each base that they may have."""
    case = exam.case(15, 0, kind="arange")
    rows = case["angles"].shape[0]
    values: dict[str, Value] = {}
    for p in info.parameters:
        name, letter = fold(p.name), size_letter(p.name, exam.task)
        if _BASE.fullmatch(name):
            values[p.name] = case["base"]
        elif letter in ("d", "512") and (p.default is None or letter == "512"):
            values[p.name] = case["dims"]["d"] if letter == "d" else rows
        elif p.default is None:
            return
    subject = exam.subject
    outcome = subject.guest.call(Call(info.name, kwargs=values, framework=subject.binding.framework, keep=False))
    found = outcome.value if isinstance(outcome.value, list | tuple) else (outcome.value,)
    tensors = [v for v in found if isinstance(v, Tensor)]
    if outcome.failure is not None or len(tensors) != len(found) or len(found) < len(roles):
        return
    own: dict[str, Array] = {role: np.asarray(t.data) for role, t in zip(roles, tensors, strict=False)}
    if any(array.shape[:1] != (rows,) for array in own.values()):
        return
    known = any(_BASE.fullmatch(fold(name)) for name in values)
    for base in (case["base"],) if known else _CONSTANTS:
        yield {**case, "own": own, "base": base}
