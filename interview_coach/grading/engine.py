"""Grading one callable from file to report."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from interview_coach.exercises import Exercise, exercises
from interview_coach.grading.exam import Exam
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.infer import infer
from interview_coach.grading.inference import Inference
from interview_coach.grading.lanes import LANES, cost_lane
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import CallableInfo, Limits
from interview_coach.grading.report import Check, Contract, CostSummary, Diagnosis, GradeError, Report
from interview_coach.grading.sandbox import Sandbox, SubmissionError
from interview_coach.grading.select import candidates, find_exercise
from interview_coach.grading.softmax_exam import SoftmaxExam, open_softmax, run_softmax
from interview_coach.grading.submission import Submission, UnreadableSubmission, read_submission
from interview_coach.grading.verdict import diagnose_attention, diagnose_softmax, score, summary


@dataclass(frozen=True, slots=True)
class Options:
    """What the user fixed instead of leaving it to inference."""

    exercise: str | None = None
    callable_name: str | None = None
    mask: str | None = None
    layout: str | None = None
    scale: float | None = None
    causal: bool | None = None
    allow_library: bool = False
    isolate: bool = False
    device: str = "cpu"
    seed: int | None = None


def grade(
    target: str | Path | Callable[..., Any],
    exercise: str | None = None,
    *,
    text: str | None = None,
    sandbox: Sandbox | None = None,
    limits: Limits | None = None,
    **options: Any,
) -> Report:
    """Grade a file, source text or a callable.

    Args:
        target: A path, or a function or class whose source can be found.
        exercise: An exercise's id; worked out if not given.
        text: The source, for input that is no file; ``target`` is then its label.
        sandbox: A running sandbox to reuse, e.g. in a batch.
        limits: Limits of the submission when a sandbox is started here.
        **options: Fields of :class:`Options`.

    Returns:
        The report. A submission that cannot be graded gives a report with ``error``, never an exception.
    """
    chosen = Options(exercise=exercise, **options)
    seed = chosen.seed if chosen.seed is not None else secrets.randbelow(10**6)
    chosen = replace(chosen, seed=seed)
    started = time.perf_counter()
    path = str(target)
    try:
        if callable(target):
            from interview_coach.grading.live import source_of

            path, text, name = source_of(target)
            chosen = replace(chosen, callable_name=chosen.callable_name or name)
        if chosen.device != "cpu":
            raise CannotGrade(
                "usage", f"--device {chosen.device}: no such device here; grade on the CPU: leave the flag out"
            )
        if sandbox is not None:
            return _grade(read_submission(path, text), chosen, seed, started, sandbox)
        submission = read_submission(path, text)
        with Sandbox(limits=limits or Limits(), isolate=chosen.isolate, preload_torch=submission.uses_torch) as own:
            return _grade(submission, chosen, seed, started, own)
    except (UnreadableSubmission, CannotGrade) as problem:
        return _error(path, chosen, seed, started, problem.kind, problem.message)


def _grade(submission: Submission, options: Options, seed: int, started: float, sandbox: Sandbox) -> Report:
    """Open the submission and grade its likeliest callable."""
    known = exercises()
    wanted = options.exercise or submission.directive
    if wanted is not None and wanted not in known:
        return _error(
            submission.path,
            options,
            seed,
            started,
            "usage",
            f"no exercise {wanted!r}; there are {', '.join(known)}. List them: coach exercises",
        )
    try:
        guest = sandbox.open(submission.source)
    except SubmissionError as problem:
        failure = problem.failure
        where = f" (line {failure.line})" if failure.line else ""
        return _error(
            submission.path,
            options,
            seed,
            started,
            failure.kind,
            f"{submission.path}{where}: {failure.message}",
            wanted,
        )
    with guest:
        stdout = ""
        try:
            report = _grade_guest(submission, options, seed, guest, sandbox)
        except CannotGrade as problem:
            report = _error(submission.path, options, seed, started, problem.kind, problem.message, wanted)
        stdout = guest.stdout
    return replace(report, stdout=stdout, elapsed_s=time.perf_counter() - started)


def _frameworks(submission: Submission) -> list[str]:
    torch = submission.uses_torch
    numpy = "numpy" in submission.imports
    return ["torch", "numpy"] if torch and numpy else ["torch"] if torch else ["numpy"]


def _grade_guest(submission: Submission, options: Options, seed: int, guest: Guest, sandbox: Sandbox) -> Report:
    known = exercises()
    asked = options.exercise or submission.directive
    hint = known.get(asked) if asked else None
    choices = candidates(submission, guest.info, options.callable_name, hint)
    hints = Hints(submission.prose, submission.text, options.causal, options.layout, options.mask, options.scale)
    problems: list[CannotGrade] = []
    for info in choices[:6]:
        try:
            exercise, source = find_exercise(submission, info, options.exercise, known)
            return _grade_callable(submission, options, seed, guest, info, exercise, source, hints, choices, sandbox)
        except CannotGrade as problem:
            problems.append(problem)
            if problem.kind in ("timeout", "memory", "usage") or options.callable_name:
                break
    order = ("timeout", "memory", "output", "crash", "contract", "import", "usage")
    raise min(
        problems[:1] + [p for p in problems if p.kind in ("timeout", "memory")], key=lambda p: order.index(p.kind)
    )


def _grade_callable(
    submission: Submission, options: Options, seed: int, guest: Guest, info: CallableInfo, exercise: Exercise, source: str,
    hints: Hints,
    choices: Sequence[CallableInfo], sandbox: Sandbox,
) -> Report:  # fmt: skip
    frameworks = _frameworks(submission)
    others = tuple(c.name for c in choices if c.name != info.name)
    if exercise.family == "softmax":
        softmax = open_softmax(guest, info, frameworks, hints, seed, exercise.forbidden)
        run_softmax(softmax)
        diagnosis = diagnose_softmax(softmax, submission)
        return _finish(
            submission,
            exercise,
            source,
            info,
            _softmax_contract(softmax),
            softmax.checks,
            diagnosis,
            None,
            options,
            seed,
            others,
        )
    inference = infer(guest, info, exercise.id, frameworks, hints, seed)
    exam = Exam(
        submission, exercise, inference.subject, inference, hints, seed, reopen=lambda: sandbox.open(submission.source)
    )
    for lane in LANES:
        lane(exam)
    diagnosis, heatmap = diagnose_attention(exam)
    cost = cost_lane(exam) if not exam.failed("formula", "shape") else None
    report = _finish(
        submission,
        exercise,
        source,
        info,
        _contract(inference, submission),
        exam.checks,
        diagnosis,
        cost,
        options,
        seed,
        others,
    )
    return replace(report, heatmap=heatmap)


def _softmax_contract(exam: SoftmaxExam) -> Contract:
    axis = "any axis" if exam.has_axis else "last axis"
    text = f"{exam.info.name}({', '.join(a.name for a in exam.arguments)}) · {exam.framework} · {exam.ndim}-D · {axis}"
    return Contract(exam.framework, "any", None, "output", True, text)


def _contract(inference: Inference, submission: Submission) -> Contract:
    binding = inference.subject.binding
    returns = "output"
    if binding.output_path:
        returns = f"(…, output at {list(binding.output_path)})" if binding.output_path != (0,) else "(output, …)"
    meaning = binding.mask.meaning if binding.mask is not None else None
    return Contract(
        str(binding.framework), binding.layout.name, meaning, returns, True, summary(inference), tuple(inference.notes)
    )


def _finish(
    submission: Submission, exercise: Exercise, source: str, info: CallableInfo, contract: Contract,
    checks: Sequence[Check],
    diagnosis: tuple[Diagnosis, ...], cost: CostSummary | None, options: Options, seed: int, others: tuple[str, ...],
) -> Report:  # fmt: skip
    failed = [c for c in checks if c.status == "fail"]
    library = [c for c in failed if c.id == "hygiene.own-implementation"]
    if options.allow_library and library:
        checks = [replace(c, status="warn") if c in library else c for c in checks]
        diagnosis = tuple(d for d in diagnosis if d.code != "delegates-to-library")
        failed = [c for c in failed if c not in library]
        library = []
    correct = not any(
        c.group in ("formula", "shape", "mask", "gradient", "hygiene") and c not in library for c in failed
    )
    stable = (
        not any(c.group in ("stability", "dtype") for c in failed)
        if correct
        else (False if any(c.group in ("stability", "dtype") for c in failed) else None)
    )
    verdict: Any = "pass" if correct and stable and not library else "fail"
    return Report(
        file=submission.path, exercise=exercise.id, callable=info.name, contract=contract, verdict=verdict,
        correct=correct, stable=stable, efficient=None, score=score(checks, correct, bool(stable)), seed=seed,
        checks=tuple(checks), diagnosis=diagnosis, cost=cost,
        exercise_source=source, others=others,
    )  # fmt: skip


def _error(
    path: str, options: Options, seed: int, started: float, kind: str, message: str, exercise: str | None = None
) -> Report:
    return Report(
        file=path, exercise=options.exercise or exercise, callable=options.callable_name, contract=None,
        verdict="error", correct=None, stable=None, efficient=None, score=0, seed=seed, error=GradeError(kind, message), elapsed_s=time.perf_counter() - started,  # type: ignore[arg-type]
    )  # fmt: skip
