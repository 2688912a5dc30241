"""Bugs of an attention with a cache."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.cached.lanes import chunked_case, reads_earlier_calls, see_from_the_beginning
from interview_coach.grading.codes import message, question
from interview_coach.grading.diagnosis import FIT
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.family.cached import OF_CACHE
from interview_coach.grading.lines import line_of
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.reference import truth
from interview_coach.grading.report import Diagnosis
from interview_coach.grading.verdict import diagnose_attention

_SYMPTOMS = frozenset({"stale-result", "nondeterministic", "dropout-in-eval", "crashes-on-shape", "batch-of-one-only"})
"""What keys of an earlier sequence look like from outside."""
_PLANS = ((2, 3, 1), (2, 1, 1, 1), (5,))
_CHANGED = 1e-6


def diagnose_cached(exam: Exam) -> tuple[tuple[Diagnosis, ...], tuple[tuple[float, ...], ...]]:
    """Bugs, and the implied weights where no bug fits; keys of an earlier sequence come first."""
    replayed = bool(exam.subject.echoes.found)
    if exam.failed("formula", "shape", "hygiene") and not replayed and reads_earlier_calls(exam):
        rest = diagnose_attention(exam)[0]
        others = (d for d in rest if d.code in exam.codes and d.code not in (*_SYMPTOMS, "cache-stale"))
        return (_named(exam, "cache-stale"), *others), ()
    if exam.failed("formula", "shape"):
        if any(c.id == "formula.generic" and c.status == "pass" for c in exam.checks):
            exam.family = OF_CACHE
        see_from_the_beginning(exam)
        exam.seen.sort(key=lambda one: one.output.size)  # a variant that does not fit shows on the smallest
    found, heatmap = diagnose_attention(exam)
    if exam.failed("formula", "shape") and not replayed and not any(d.code not in _SYMPTOMS for d in found):
        seen = _by_what_is_seen(exam)
        if seen is not None:
            found = (_named(exam, seen), *(d for d in found if d.code not in _SYMPTOMS))
    return found, heatmap


def _named(exam: Exam, code: str) -> Diagnosis:
    line = line_of(exam.submission.tree, code, exam.subject.binding.info.name)
    return Diagnosis(code, message(code), line, None, question(code))


def _by_what_is_seen(exam: Exam) -> str | None:
    """The kind of bug, by which tokens reach which outputs."""
    for plan in _PLANS:
        case = chunked_case(exam, plan, 130)
        seen = visibility(exam, case)
        if seen is None:
            continue
        right = np.tri(len(seen), dtype=bool)
        if (seen & ~right).any():
            return "cache-chunk-not-causal" if len(case.chunks) > 1 else None
        if (right & ~seen).any():
            return "cache-stale"
    passed = {c.id for c in exam.checks if c.status == "pass"}
    another = any(len(s.case.chunks) > 1 and relative_error(s.output, truth(s.case)) > FIT for s in exam.seen)
    if "formula.generic" not in passed or not another:
        return None
    # One pass is right and every token reaches what it should: it is what comes out of the cache that is another.
    return "cache-stale" if exam.subject.binding.rotation is None else "cache-offset"


def visibility(exam: Exam, case: AttentionInputs) -> Array | None:
    """Which outputs (rows) change with which tokens (columns), ``(S, S)``; ``None`` if a call fails."""
    first = exam.subject.run(case)
    if first.output is None:
        return None
    length = first.output.shape[-2]
    seen = np.zeros((length, length), bool)
    for token in range(length):
        moved = case.fresh()
        for name in ("x", "q", "k", "v"):
            array = getattr(case, name)
            if array is not None and name != "q":
                changed = array.copy()
                changed[..., token, :] = np.asarray(-array[..., token, :], np.float32)
                setattr(moved, name, changed)
        observed = exam.subject.run(replace(moved, made={}))
        if observed.output is None:
            return None
        difference = np.abs(observed.output - first.output)
        seen[:, token] = (
            difference.max(axis=tuple(i for i in range(difference.ndim) if i != difference.ndim - 2)) > _CHANGED
        )
    return seen
