"""How long a submission takes next to the project's own solution of the exercise, in one run on one machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from interview_coach.exercises import Exercise
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import CallableInfo, Outcome
from interview_coach.grading.sandbox import Sandbox, SubmissionError
from interview_coach.grading.select import candidates
from interview_coach.grading.submission import Submission, read_submission
from interview_coach.resources import resource_dir

LENGTH = 256
"""Of queries and keys."""
TIMES = 5
"""Calls of each, one after the other in turn; the shortest of each counts."""
_TECHNIQUES = {"torch": ("stable", "tiled"), "numpy": ("stable_numpy", "tiled_numpy")}

Caller = Callable[[], Outcome]


def reference_of(exercise: Exercise, framework: str) -> Path | None:
    """The solution that a submission is compared with, ``None`` where there is none in its framework."""
    folder = resource_dir("solutions") / exercise.id
    return next((p for t in _TECHNIQUES.get(framework, ()) if (p := folder / f"{t}.py").is_file()), None)


def time_ratio(
    sandbox: Sandbox, submission: Submission, name: str, exercise: Exercise, framework: str, hints: Hints, seed: int
) -> float | None:
    """Seconds of one call over those of the reference; ``None`` where either of them cannot be called."""
    path = reference_of(exercise, framework)
    if path is None:
        return None
    reference = read_submission(str(path))
    try:
        with sandbox.open(submission.source) as mine, sandbox.open(reference.source) as other:
            asked = candidates(submission, mine.info, name, exercise)[0]
            first = candidates(reference, other.info, None, exercise)[0]
            callers = (
                _caller(mine, asked, exercise, framework, submission, hints, seed),
                _caller(other, first, exercise, framework, reference, Hints(reference.prose, reference.text), seed),
            )
            seconds = [_seconds(callers) for _ in range(TIMES)]
    except (SubmissionError, CannotGrade):
        return None
    if any(s is None for s in seconds):
        return None
    own, its = (min(s[i] for s in seconds if s is not None) for i in (0, 1))
    return round(own / its, 2) if its > 0 else None


def _seconds(callers: Sequence[Caller]) -> tuple[float, ...] | None:
    outcomes = [call() for call in callers]
    return None if any(o.failure is not None for o in outcomes) else tuple(o.seconds for o in outcomes)


def _caller(
    guest: Guest,
    info: CallableInfo,
    exercise: Exercise,
    framework: str,
    submission: Submission,
    hints: Hints,
    seed: int,
) -> Caller:
    """Makes one call on arrays of :data:`LENGTH` rows, under the contract that is found for it."""
    if exercise.family == "softmax":
        from interview_coach.grading.softmax_exam import open_softmax

        softmax = open_softmax(guest, info, [framework], hints, seed, exercise.forbidden)
        x = np.random.default_rng(seed).normal(size=(*(4, 8, 64, LENGTH)[-softmax.ndim :],))
        return lambda: softmax.call(x)
    if exercise.family == "function":
        from interview_coach.grading.functions import open_function, task

        known = task(exercise.id)
        function = open_function(guest, info, [framework], hints, seed, known, submission, False)
        dims = {a: LENGTH for a in known.grows if a in known.dims} | ({"b": 1} if "b" in known.dims else {})
        case = function.case(97, dims=dims)
        return lambda: function.subject.run(case).outcome
    from interview_coach.grading.cases import make_case
    from interview_coach.grading.infer import infer

    inference = infer(guest, info, exercise.id, [framework], hints, seed)
    sizes = replace(inference.dims, b=1, sq=LENGTH, sk=LENGTH)
    case_ = make_case(inference.subject, np.random.default_rng(seed), sizes)
    return lambda: inference.subject.run(case_).outcome
