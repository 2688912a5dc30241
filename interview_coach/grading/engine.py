"""Grading one callable from file to report."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interview_coach.errors import CoachError
from interview_coach.exercises import Exercise, exercises
from interview_coach.grading import second_opinion
from interview_coach.grading.device import usable_device
from interview_coach.grading.exam import Exam
from interview_coach.grading.growth import DRAWN, LENGTHS
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.infer import infer
from interview_coach.grading.lanes import cost_lane, half_lane, lanes_of, shape_lane
from interview_coach.grading.problems import CannotGrade, own_fault
from interview_coach.grading.protocol import CallableInfo, Limits
from interview_coach.grading.references import (
    references_of_attention,
    references_of_function,
    references_of_softmax,
)
from interview_coach.grading.replay import Fresh, replay
from interview_coach.grading.report import Check, Contract, CostSummary, Diagnosis, Reference, Report, noted, ungraded
from interview_coach.grading.sandbox import Sandbox, SubmissionError
from interview_coach.grading.select import (
    Refused,
    candidates,
    find_exercise,
    learn_names,
    projects,
    rivals,
    speaks_of_attention,
)
from interview_coach.grading.submission import Submission, UnreadableSubmission, read_submission
from interview_coach.grading.verdict import contract_of, diagnose_attention, score
from interview_coach.records import record

if TYPE_CHECKING:
    from interview_coach.grading.functions import FunctionExam
    from interview_coach.grading.second_opinion import Opinion
    from interview_coach.grading.softmax_exam import SoftmaxExam


@record
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
    cost: bool = False
    """Look at the cost at more lengths."""
    timed: bool = True
    """Tell what else was compared with the oracle, the project's own solution among it, and how long that takes."""


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
    started = time.perf_counter()
    path = str(target)
    try:
        if callable(target):
            from interview_coach.grading.live import source_of

            path, text, name = source_of(target)
            chosen = replace(chosen, callable_name=chosen.callable_name or name)
        submission = replace(read_submission(path, text), device=usable_device(chosen.device))
        if sandbox is not None:
            report = _Grading(submission, chosen, seed, sandbox).report()
        else:
            with Sandbox(limits=limits or Limits(), isolate=chosen.isolate, preload_torch=submission.uses_torch) as own:
                report = _Grading(submission, chosen, seed, own).report()
    except (UnreadableSubmission, CannotGrade) as problem:
        report = ungraded(path, exercise, chosen.callable_name, seed, problem.kind, problem.message)
    except CoachError:
        raise
    except Exception as bug:
        report = ungraded(path, exercise, chosen.callable_name, seed, "crash", own_fault(path, bug))
    return replace(report, elapsed_s=time.perf_counter() - started)


@record
class _Findings:
    """What the checks of one callable brought."""

    info: CallableInfo
    contract: Contract
    checks: Sequence[Check]
    diagnosis: tuple[Diagnosis, ...]
    cost: CostSummary | None = None
    heatmap: tuple[tuple[float, ...], ...] = ()
    references: tuple[Reference, ...] = ()
    opinion: Opinion | None = None
    """The solution to ask at last, for code that is right."""


@record
class _Grading:
    """One submission on its way to a report."""

    submission: Submission
    options: Options
    seed: int
    sandbox: Sandbox

    @property
    def asked(self) -> str | None:
        """The exercise that a flag or the file names."""
        return self.options.exercise or self.submission.directive

    def report(self) -> Report:
        """Open the submission and grade its likeliest callable."""
        path = self.submission.path
        try:
            if self.asked is not None and self.asked not in exercises():
                known = ", ".join(exercises())
                raise CannotGrade("usage", f"no exercise {self.asked!r}; there are {known}. List them: coach exercises")
            guest = self.sandbox.open(self.submission.source, learn_names)
        except SubmissionError as problem:
            failure = problem.failure
            where = f" (line {failure.line})" if failure.line else ""
            report = self._failed(failure.kind, f"{path}{where}: {failure.message}")
            return replace(report, stdout=problem.printed)
        try:
            try:
                report = self._choose(guest)
            except CannotGrade as problem:
                report = self._failed(problem.kind, self._unfinished(problem.message))
            return replace(report, stdout=guest.stdout)
        finally:
            self.sandbox.release(guest)
            self.sandbox.settle()

    def _unfinished(self, message: str) -> str:
        """The message; of a stub whose body is still to be written, with what to do about it."""
        if "NotImplementedError" not in message:
            return message
        hint = f"coach hint {self.asked or 'sdpa'}"
        return f"{message.rstrip(': ')}. The body is not written yet; a hint to begin with: {hint}"

    def _failed(self, kind: str, message: str) -> Report:
        return ungraded(self.submission.path, self.asked, self.options.callable_name, self.seed, kind, message)

    def _choose(self, guest: Guest) -> Report:
        """Grade the first callable, in the order of likelihood, that can be graded."""
        known = exercises()
        hint = known.get(self.asked) if self.asked else None
        choices = candidates(self.submission, guest.info, self.options.callable_name, hint)
        problems: list[CannotGrade] = []
        refused = Refused(self.submission)
        for info in choices[:8]:
            guest.missing, exercise = None, None
            try:
                exercise, source = find_exercise(self.submission, info, self.options.exercise, known)
                if not self.asked and refused.leaves_out(info, exercise):
                    continue
                findings = self._examine(guest, info, exercise)
                if guest.missing is not None and any(c.status == "fail" for c in findings.checks):
                    raise CannotGrade("import", f"{info.name}: {guest.missing.message}")
                refused.require_whole(info, findings.checks)
                self._tell_apart(guest, info, choices, exercise)
                others = tuple(c.name for c in choices if c.name != info.name)
                findings = replace(findings, contract=noted(findings.contract, guest.info.left_out))
                return replace(self._judge(exercise, findings), exercise_source=source, others=others)
            except CannotGrade as caught:
                problem = caught
                if guest.missing is not None:
                    problem = CannotGrade("import", f"{info.name}: {guest.missing.message}")
                attends = speaks_of_attention(info.name)
                problems.insert(0 if attends and not refused.kinds else len(problems), problem)
                refused.add(info, exercise, problem)
                stop = problem.final and (attends or exercise is None or exercise.family != "attention")
                # Code named for the exercise raises: nothing else was asked for. A model may be named so as well.
                meant = hint is not None and hint.matches(info.name) and (attends or hint.family != "attention")
                stop |= meant and problem.kind in ("crash", "output")
                if stop or problem.kind in ("timeout", "memory", "usage") or self.options.callable_name:
                    break
        # What ended the worker says more than what the first candidate lacked.
        told = next((p for p in problems if p.kind in ("timeout", "memory")), problems[0])
        if (failed := guest.info.left_out) is not None and told.kind in ("crash", "import"):
            told = CannotGrade(failed.kind, f"{self.submission.path} (line {failed.line}): {failed.message}")
        raise told

    def _tell_apart(
        self, guest: Guest, chosen: CallableInfo, choices: Sequence[CallableInfo], exercise: Exercise
    ) -> None:
        """Raise :class:`CannotGrade` when the file holds another attempt that may be meant just as well."""
        if self.options.callable_name is not None:
            return
        for other in rivals(self.submission, chosen, choices, exercise):
            try:
                findings = self._examine(guest, other, exercise)
            except CannotGrade:
                continue
            if findings.diagnosis or not any(c.status == "fail" for c in findings.checks):
                raise CannotGrade(
                    "contract",
                    f"several equal candidates: {chosen.name}, {other.name}; "
                    f"say which is meant: --callable {chosen.name}",
                    final=True,
                )

    def _examine(self, guest: Guest, info: CallableInfo, exercise: Exercise) -> _Findings:
        """Find the contract and run all lanes."""
        submission, options = self.submission, self.options
        hints = Hints(submission.prose, submission.text, options.causal, options.layout, options.mask, options.scale)
        hints = replace(hints, kernels=guest.interprets)
        frameworks = submission.frameworks
        # The engines of the other families are imported where they are needed: a start pays for one of them.
        if exercise.family == "softmax":
            from interview_coach.grading.softmax_cost import softmax_cost
            from interview_coach.grading.softmax_diagnosis import diagnose_softmax
            from interview_coach.grading.softmax_exam import open_softmax
            from interview_coach.grading.softmax_lanes import run_softmax

            softmax = open_softmax(guest, info, frameworks, hints, self.seed, exercise.forbidden)
            run_softmax(softmax)
            right = not softmax.failed("formula", "shape")
            counted = softmax_cost(softmax, self._lengths) if right else None
            self._repeat(softmax, guest, exercise)
            named = diagnose_softmax(softmax, submission)
            known = references_of_softmax(softmax) if self.options.timed else ()
            second = second_opinion.of_softmax(softmax) if right and self._timed(guest) else None
            return _Findings(info, softmax.contract(), softmax.checks, named, counted, (), known, second)
        if exercise.family == "function" and not projects(info, exercise):
            return self._examine_function(guest, info, exercise, frameworks, hints)
        if exercise.family == "cached":
            return self._examine_cached(guest, info, exercise, hints)
        host = "multi-head" if exercise.family == "function" and exercise.id != "linear-attention" else exercise.id
        try:
            inference = infer(guest, info, host, frameworks, hints, self.seed)
        except CannotGrade as problem:
            if exercise.family != "function" or problem.kind != "crash":
                raise
            # It asks for a width and heads, and may still project nothing.
            return self._examine_function(guest, info, exercise, frameworks, hints)
        exam = Exam(submission, exercise, inference.subject, inference, hints, self.seed, reopen=self._reopen)
        with contextlib.ExitStack() as stack:
            stack.enter_context(second_opinion.gpu_kernel(exam, self.sandbox, self.submission.device))
            fresh: Fresh | None = None
            for lane in lanes_of(exam):
                if lane is shape_lane and not exam.failed():
                    fresh = Fresh(lambda: self._reopen(self._withheld(exercise)), self.sandbox.release)
                    stack.callback(fresh.close)
                if lane is half_lane and fresh is not None and not exam.failed():
                    fresh.ask(guest.steps)
                lane(exam)
            cost = cost_lane(exam, self._lengths) if not exam.failed("formula", "shape") else None
            self._repeat(exam, guest, exercise, fresh)
            if fresh is not None:
                fresh.dismiss()
            counted = cost and cost()
        diagnosis, heatmap = diagnose_attention(exam)
        return self._found(exam, diagnosis, counted, heatmap)

    @property
    def _lengths(self) -> tuple[int, ...]:
        """Lengths at which the cost is counted."""
        return DRAWN if self.options.cost else LENGTHS

    def _timed(self, guest: Guest) -> bool:
        """Whether to ask the project's own solution; what an interpreter takes says nothing of a kernel."""
        return self.options.timed and not guest.interprets

    def _found(self, exam: Exam, diagnosis: tuple[Diagnosis, ...], cost: CostSummary | None, heatmap: Any) -> _Findings:
        """What the lanes of attention brought."""
        right = not exam.slow and not exam.failed("formula", "shape", "mask")
        second = second_opinion.of_attention(exam) if right and self._timed(exam.subject.guest) else None
        known = references_of_attention(exam) if self.options.timed else ()
        info, contract = exam.subject.binding.info, contract_of(exam.inference)
        return _Findings(info, contract, exam.checks, diagnosis, cost, heatmap, known, second)

    def _examine_function(
        self, guest: Guest, info: CallableInfo, exercise: Exercise, frameworks: Sequence[str], hints: Hints
    ) -> _Findings:
        from interview_coach.grading.functions import (
            diagnose_function,
            function_cost,
            open_function,
            run_function,
            task,
        )

        stub = self.submission.directive == exercise.id
        function = open_function(guest, info, frameworks, hints, self.seed, task(exercise.id), self.submission, stub)
        function.reopen = self._reopen
        run_function(function)
        right = not function.failed("formula", "shape", "mask")
        counted = function_cost(function, self._lengths) if right else None
        if not function.subject.binding.form.setup:  # else each call goes by the one before
            self._repeat(function, guest, exercise)
        named = diagnose_function(function)
        known = references_of_function(function) if self.options.timed else ()
        second = second_opinion.of_function(function, exercise.id) if right and self._timed(guest) else None
        return _Findings(info, function.contract(), function.checks, named, counted, (), known, second)

    def _examine_cached(self, guest: Guest, info: CallableInfo, exercise: Exercise, hints: Hints) -> _Findings:
        from interview_coach.grading.cached.infer import infer_cached
        from interview_coach.grading.cached.lanes import run_cached
        from interview_coach.grading.cached.naming import diagnose_cached
        from interview_coach.grading.family.cached import CACHED

        inference = infer_cached(guest, info, self.submission.frameworks, hints, self.seed)
        exam = Exam(
            self.submission,
            exercise,
            inference.subject,
            inference,
            hints,
            self.seed,
            family=CACHED,
            reopen=self._reopen,
        )
        run_cached(exam, self._withheld(exercise))
        cost = cost_lane(exam, self._lengths) if not exam.failed("formula", "shape") else None
        diagnosis, heatmap = diagnose_cached(exam)
        return self._found(exam, diagnosis, cost and cost(), heatmap)

    def _reopen(self, without: tuple[str, ...] = ()) -> Guest:
        return self.sandbox.open(replace(self.submission.source, without=without))

    def _withheld(self, exercise: Exercise) -> tuple[str, ...]:
        """Parts of the library that a fresh process does without."""
        return () if self.options.allow_library else ("attention", *sorted(exercise.forbidden & {"softmax"}))

    def _repeat(
        self, exam: Exam | SoftmaxExam | FunctionExam, guest: Guest, exercise: Exercise, fresh: Fresh | None = None
    ) -> None:
        """What nothing spoke against is asked again, where there is nothing left to lean on.

        A function that gave ordinary results is asked as well: what failed may have come of earlier calls.
        """
        failed = {c.group for c in exam.checks if c.status == "fail"}
        known = {"delegates-to-library", "mutates-inputs"} & set(exam.codes)
        if failed and (isinstance(exam, Exam) or known or failed & {"formula", "shape", "mask"}):
            return
        without = self._withheld(exercise)
        found = replay(guest, self._reopen, without, fresh)
        if found is None or (failed and found.code != "stale-result"):
            if not failed:
                exam.add("hygiene.fresh-process", "pass")
            return
        exam.codes.clear()
        exam.checks[:] = [c for c in exam.checks if c.id != found.check]
        exam.add(found.check, "fail" if found.code else "skip", found.detail, found.code)

    def _judge(self, exercise: Exercise, findings: _Findings) -> Report:
        """The verdict: numbers decide ``correct`` and ``stable``; a library call fails whatever the numbers say."""
        checks, diagnosis = list(findings.checks), findings.diagnosis
        if self.options.allow_library:
            checks = [replace(c, status="warn") if _is_library(c) and c.status == "fail" else c for c in checks]
            diagnosis = tuple(d for d in diagnosis if d.code != "delegates-to-library")
        failed = [c for c in checks if c.status == "fail"]
        correct = not any(c.group in _CORRECT and not _is_library(c) for c in failed)
        unstable = any(c.group in _STABLE for c in failed)
        stable = not unstable if correct or unstable else None
        claims = [c.status for c in checks if c.group == "efficiency" and c.status in ("pass", "fail")]
        device, every = self.submission.device, self.options.cost
        others, ratio = findings.opinion.ask(device, every) if findings.opinion else ((), None)
        cost = findings.cost if ratio is None else replace(findings.cost or CostSummary(), time_ratio=ratio)
        return Report(
            file=self.submission.path,
            exercise=exercise.id,
            callable=findings.info.name,
            contract=findings.contract,
            verdict="fail" if failed else "pass",
            correct=correct,
            stable=stable,
            efficient="fail" not in claims if claims else None,
            score=score(checks, correct, bool(stable)),
            seed=self.seed,
            checks=tuple(checks),
            diagnosis=diagnosis,
            cost=cost,
            heatmap=findings.heatmap,
            references=(*findings.references, *others),
        )


_CORRECT = frozenset({"formula", "shape", "mask", "gradient", "hygiene"})
_STABLE = frozenset({"stability", "dtype"})


def _is_library(check: Check) -> bool:
    return check.id == "hygiene.own-implementation"
