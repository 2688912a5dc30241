"""What a caller may rely on: inputs untouched, the same result for the same inputs, views, no library attention."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

import numpy as np

from interview_coach.grading.cases import make_case
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.observation import Observation
from interview_coach.grading.reference import allowed_error, truth
from interview_coach.grading.refilled import remembers

ATTENTION_CALLS = r"(?i)attention|flex|multihead|flash|efficient|cudnn|\bmha\b"


def hygiene_lane(exam: Exam) -> None:
    """Inputs, repetition, stale results, views and library calls."""
    if exam.inference.dropout_in_eval:
        exam.add(
            "hygiene.eval-mode",
            "fail",
            "right only when it is built without dropout: dropout acts in eval mode",
            "dropout-in-eval",
        )
    masked = exam.subject.binding.mask is not None
    case = make_case(exam.subject, exam.rng(80), exam.dims, masked=masked)
    other = make_case(exam.subject, exam.rng(81), exam.dims, masked=masked)
    first = exam.subject.run(case, watch=frozenset({"library"}))
    second, between, third = (exam.subject.run(each) for each in (case, other, case))
    viewed = make_case(exam.subject, exam.rng(82), exam.dims)
    views = {memory: exam.subject.run(viewed, memory=memory) for memory in ("transposed", "split", "sliced")}
    if first.output is None:
        return
    if first.outcome.mutated:
        names = ", ".join(first.outcome.mutated)
        exam.add("hygiene.inputs-unchanged", "fail", f"argument {names} is changed in place", "mutates-inputs")
    else:
        exam.add("hygiene.inputs-unchanged", "pass")
    _library(exam, first.outcome.library)
    if not _stale(exam, [second, between], first.output):
        _repeatable(exam, first.output, [second, third])
    _judge_views(exam, viewed, views)


def _stale(exam: Exam, calls: Sequence[Observation], earlier: np.ndarray) -> bool:
    """Whether a call on new data, of new arrays or of the same ones, returns what an earlier call returned."""
    output = calls[1].output
    if output is None:
        return False
    same = (
        output.shape == earlier.shape
        and output.size > 1
        and np.array_equal(output, earlier, equal_nan=True)
        and np.isfinite(output).any()
        and output.std() > 0
    )
    stale = bool(same) or remembers(exam.subject.guest, [call.outcome for call in calls])
    if stale:
        exam.add("hygiene.no-stale-result", "fail", "new inputs give the result of the call before", "stale-result")
    else:
        exam.add("hygiene.no-stale-result", "pass")
    return stale


def _repeatable(exam: Exam, output: np.ndarray, again: Sequence[Observation]) -> None:
    if all(o.output is not None and np.array_equal(o.output, output, equal_nan=True) for o in again):
        exam.add("hygiene.repeatable", "pass")
        return
    # Sums in another order are no fault, where they are right.
    near = all(o.output is not None and relative_error(o.output, output) < 1e-6 for o in again)
    close = near and not exam.failed("formula")
    code = "dropout-in-eval" if "dropout" in exam.submission.text.lower() else "nondeterministic"
    exam.add(
        "hygiene.repeatable",
        "warn" if close else "fail",
        "the same call gives another result",
        None if close else code,
    )


def _library(exam: Exam, calls: tuple[str, ...]) -> None:
    used = [c for c in calls if re.search(ATTENTION_CALLS, c) or c in exam.exercise.forbidden]
    if used:
        exam.library = tuple(used)
        exam.add("hygiene.own-implementation", "fail", f"calls {', '.join(used)}", "delegates-to-library")
    else:
        exam.add("hygiene.own-implementation", "pass")


def _judge_views(exam: Exam, case: AttentionInputs, asked: Mapping[str, Observation]) -> None:
    """Arguments that are views with other strides, as a split into heads makes them."""
    expected = truth(case)
    for memory, observed in asked.items():
        if observed.output is None:
            exam.add(
                f"hygiene.{memory}-view",
                # A module meets views seldom, and says so; a split into heads makes them of arguments with heads first.
                "warn" if exam.subject.binding.projected or "HS" not in exam.subject.binding.layout.name else "fail",
                f"raises on a {memory} view: {observed.problem}"[:300],
                "assumes-contiguous",
            )
            continue
        error = relative_error(observed.output, expected)
        allowed = allowed_error(case, expected, error)
        if error <= allowed:
            exam.add(f"hygiene.{memory}-view", "pass")
            continue
        contiguous = exam.subject.run(case)
        if contiguous.output is None or relative_error(contiguous.output, expected) > allowed:
            exam.add(f"hygiene.{memory}-view", "skip", "wrong on contiguous arrays already")
            continue
        exam.add(
            f"hygiene.{memory}-view",
            "fail",
            f"wrong on a {memory} view",
            "assumes-contiguous",
            measured=error,
            allowed=allowed,
            unit="relative error",
        )


def uses_empty(tree: ast.Module) -> int | None:
    """The line of the only call that makes uninitialised memory, or ``None``; 0 if there are several."""
    lines = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Name)
        and (node.attr if isinstance(node, ast.Attribute) else node.id)
        in ("empty", "empty_like", "new_empty", "empty_strided")
    ]
    return None if not lines else lines[0] if len(lines) == 1 else 0
