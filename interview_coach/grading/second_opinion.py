"""A second opinion: the project's own solution on the inputs of a submission, its error and its time.

It is loaded beside the submission, in the same process, once everything that the verdict needs has been asked: nothing
that is graded can lean on it. Its error is measured against the same float64 oracle; its time is taken in turn with the
submission's, the shortest of a few calls each. Neither decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from interview_coach.exercises import Exercise, exercises
from interview_coach.grading.failures import SubmissionError
from interview_coach.grading.guest import Guest
from interview_coach.grading.numbers import relative_error, round_to
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import BESIDE, CallableInfo, ModuleInfo, Outcome, Source, Tensor
from interview_coach.grading.report import Reference
from interview_coach.records import record
from interview_coach.resources import resource_dir

if TYPE_CHECKING:
    from interview_coach.grading.contract import Subject
    from interview_coach.grading.exam import Exam
    from interview_coach.grading.family import AttentionInputs
    from interview_coach.grading.functions import FunctionExam
    from interview_coach.grading.sandbox import Sandbox
    from interview_coach.grading.softmax_exam import SoftmaxExam

LENGTH, TILE = 128, 32
"""Of the sequences, and of what a block size is told, where the time is taken."""
ROUNDS = 3
"""Calls of each, in turn."""
LEAST_S, PATIENCE_S = 3e-4, 0.2
"""A shorter call is repeated until it takes so long; where one takes longer, each is made once more and no oftener."""
SHORT = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}
_TECHNIQUES = {"torch": ("stable", "tiled"), "numpy": ("stable_numpy", "tiled_numpy")}
_ON_GPU = frozenset({"sdpa", "causal", "gqa", "flash-forward", "triton-flash"})
"""What the GPU kernel computes."""
_OWN_WEIGHTS = frozenset({"multi-head", "cross-attention", "kv-cache"})

Errors = Callable[[str], float | None]
"""The relative error of a solution in a precision, ``None`` where it does not run in it."""


@record
class Timed:
    """A callable and a call of it on long inputs; ``again`` tells whether that call can be sent again as it is."""

    guest: Guest
    call: Callable[[], Outcome]
    again: bool = True

    def ready(self) -> tuple[Callable[[], float | None], float]:
        """Makes the call once: a function that gives the seconds of another, and those of the first."""
        first = self.call()
        sent = self.guest.steps[-1].call
        if not self.again or sent is None or first.failure is not None:
            return (lambda: _seconds(self.call(), 1)), first.seconds
        times = min(20, max(1, ceil(LEAST_S / max(first.seconds, 1e-6))))
        repeated = replace(sent, times=times, keep=False)
        return (lambda: _seconds(self.guest.call(repeated), times)), first.seconds


@record
class Opinion:
    """What to ask the solution of an exercise: ``solution`` gives a call of it, and its errors by precision."""

    mine: Timed
    exercise: str
    framework: str
    dtypes: Sequence[str]
    """Precisions that it can be asked in, the ordinary one first."""
    solution: Callable[[Guest, CallableInfo, str], tuple[Timed, Errors]]

    def ask(self, device: str = "cpu", every: bool = False) -> tuple[tuple[Reference, ...], float | None]:
        """Its error in the ordinary precision, or in ``every`` one, and the seconds of the submission over its own.

        Both are empty where there is no solution in the framework of the submission.
        """
        exercise = exercises()[self.exercise]
        device = device if self.framework == "torch" else "cpu"
        path = solution_of(exercise, self.framework, device)
        if path is None:
            return (), None
        try:
            guest = self.mine.guest
            info = _callable(guest.beside(path.read_text(encoding="utf-8"), str(path)), exercise, path)
            info = replace(info, name=f"{BESIDE}.{info.name}")
            theirs, error = self.solution(guest, info, path.parent.name)
            found = [(dtype, error(dtype)) for dtype in self.dtypes[: None if every else 1]]
            name = f"{path.parent.name}/{path.name}"
            known = [Reference(SHORT[dtype], e, name, device) for dtype, e in found if e is not None]
            return tuple(known), time_ratio(self.mine, theirs)
        except (SubmissionError, CannotGrade):
            return (), None


def solution_of(exercise: Exercise, framework: str, device: str = "cpu") -> Path | None:
    """The solution in a framework; on a GPU the kernel, where it computes what the exercise asks for."""
    folder = resource_dir("solutions")
    if device == "cuda" and framework == "torch" and exercise.id in _ON_GPU:
        return folder / "triton-flash" / "tiled.py"
    names = (folder / exercise.id / f"{technique}.py" for technique in _TECHNIQUES.get(framework, ()))
    return next((path for path in names if path.is_file()), None)


def _callable(module: ModuleInfo, exercise: Exercise, path: Path) -> CallableInfo:
    asked = exercises()[path.parent.name]
    return next(c for c in module.callables if asked.matches(c.name) or exercise.matches(c.name))


def time_ratio(mine: Timed, theirs: Timed) -> float | None:
    """Seconds of a call of one over those of the other, each the least of some made in turn."""
    (own, first), (its, second) = mine.ready(), theirs.ready()
    rounds = ROUNDS if max(first, second) < PATIENCE_S else 1
    taken = [(own(), its()) for _ in range(rounds)]
    pairs = [(a, b) for a, b in taken if a is not None and b is not None]
    if len(pairs) < rounds:
        return None
    left, right = (min(column) for column in zip(*pairs, strict=True))
    return round(left / right, 2) if right > 0 else None


def _seconds(outcome: Outcome, times: int) -> float | None:
    return None if outcome.failure is not None else outcome.seconds / times


# ── how the solution of each family is called ──────────────────────────────────────────────────────────────────────


def of_attention(exam: Exam) -> Opinion:
    """For attention on q, k, v or with projections of its own, which the solution then has as well."""
    from interview_coach.grading.cases import make_case
    from interview_coach.grading.lanes.half import rounded
    from interview_coach.grading.reference import truth

    binding = exam.subject.binding
    dims = replace(exam.dims, b=1, sq=LENGTH, sk=LENGTH)

    def timed(subject: Subject) -> Timed:
        case = make_case(subject, exam.rng(96), dims)
        return Timed(subject.guest, lambda: subject.run(case).outcome, again=subject.binding.cache is None)

    def solution(guest: Guest, info: CallableInfo, exercise: str) -> tuple[Timed, Errors]:
        subject = _house_subject(exam, guest, info, exercises()[exercise])

        def error(dtype: str) -> float | None:
            case = rounded(make_case(subject, exam.rng(98), exam.dims, dtype=dtype, spread=1.0), dtype)
            output = subject.run(case, dtype=dtype).output
            return None if output is None else relative_error(output, truth(case))

        return timed(subject), error

    dtypes = tuple(SHORT) if exam.torch else ("float32",)
    return Opinion(timed(exam.subject), _counterpart(exam), str(binding.framework), dtypes, solution)


def _counterpart(exam: Exam) -> str:
    """The exercise whose solution takes what the submission takes."""
    binding, asked = exam.subject.binding, exam.exercise
    if not binding.projected:
        return {"multi-head": "sdpa", "cross-attention": "sdpa", "kv-cache": "causal"}.get(asked.id, asked.id)
    if asked.id in _OWN_WEIGHTS:
        return asked.id
    return "cross-attention" if binding.has("context") else "multi-head"


def _house_subject(exam: Exam, guest: Guest, info: CallableInfo, asked: Exercise) -> Subject:
    """A solution of attention, which is called as its stub says: nothing has to be found out."""
    from interview_coach.grading.arguments import call_forms, resolve_arguments
    from interview_coach.grading.binding import Binding
    from interview_coach.grading.contract import Subject
    from interview_coach.grading.layouts import DIRECT, PROJECTED
    from interview_coach.grading.trials import usable_readings

    mine = exam.subject.binding
    method, parameters = call_forms(info)[0]
    sizes = replace(mine.sizes, kv_heads=None, shared=False, single=False, wide=False)
    binding = Binding(
        info, mine.framework, resolve_arguments(parameters, asked.id),
        PROJECTED["BSC"] if mine.projected else DIRECT["BHSD"], mine.projected, sizes, method=method,
        output_path=(0,) if asked.id in ("kv-cache", "triton-flash") else (),
        causal=asked.causal or mine.causal, windowed=asked.windowed, alibi="paper" if asked.alibi else None,
    )  # fmt: skip
    subject = Subject(guest, binding, exam.seed)
    return subject.bound(reading=usable_readings(subject)[0])


@contextmanager
def gpu_kernel(exam: Exam, sandbox: Sandbox, device: str) -> Iterator[None]:
    """On a GPU the project's kernel runs beside the submission: as far off in half precision as it, others may be."""
    exercise = exercises()[_counterpart(exam)]
    if device != "cuda" or not exam.torch or exercise.id not in _ON_GPU:
        yield
        return
    path = solution_of(exercise, "torch", device)
    assert path is not None
    try:
        guest = sandbox.open(Source(path.read_text(encoding="utf-8"), str(path), device=device))
    except SubmissionError:  # there is no triton: the careful computation is what errors are measured by
        yield
        return
    with guest:
        subject = _house_subject(exam, guest, _callable(guest.info, exercise, path), exercises()[path.parent.name])
        exam.kernel_error = partial(_error_of, subject)
        yield


def _error_of(subject: Subject, case: AttentionInputs, dtype: str) -> float | None:
    """How far the kernel is from the oracle; it takes no mask."""
    from interview_coach.grading.reference import truth

    if case.keep is not None or case.bias is not None:
        return None
    output = subject.run(case, dtype=dtype).output
    return None if output is None else relative_error(output, truth(case))


def of_function(exam: FunctionExam, exercise: str) -> Opinion:
    """For a plain function of arrays."""
    from interview_coach.grading.functions.distance import distance
    from interview_coach.grading.functions.sending import LAYOUTS
    from interview_coach.grading.functions.signature import call_forms_of
    from interview_coach.grading.functions.subject import Binding, FunctionSubject

    task, binding = exam.task, exam.subject.binding
    dims = {a: LENGTH for a in task.grows if a in task.dims} | ({"b": 1} if "b" in task.dims else {})
    blocks = {r.name: TILE for r in task.roles if r.name.startswith("block") and "t" not in task.dims}
    long = exam.case(96, dims=dims, **blocks)
    house: Mapping[str, Any] = {a.key: a.values[0] for a in task.alternatives if not a.missing}

    def solution(guest: Guest, info: CallableInfo, exercise: str) -> tuple[Timed, Errors]:
        form, layout = call_forms_of(info, task)[0], LAYOUTS[task.layouts[0]]
        sent_as = {r.name: r.forms[0] for r in task.roles}
        subject = FunctionSubject(guest, task, Binding(info, binding.framework, form, layout, sent_as, house))

        def error(dtype: str) -> float | None:
            case = task.case(exam.rng(98), taken=form.roles, **house)
            names = [r.name for r in task.roles if r.kind == "float" and r.axes and case.get(r.name) is not None]
            case |= {name: round_to(case[name], dtype) for name in names}
            observed = subject.run(case, dtype=dtype)
            if observed.outputs is None:
                return None
            both = zip(observed.outputs, subject.truth(case), subject.outputs, strict=True)
            return max(distance(got, want, o.scale(case)) for got, want, o in both)

        case = task.case(exam.rng(96), dims, taken=form.roles, **house, **blocks)
        return Timed(guest, lambda: subject.call(case)), error

    dtypes = tuple(SHORT) if exam.torch and task.half and not task.narrow_dtype else (task.dtype,)
    mine = Timed(exam.subject.guest, lambda: exam.subject.call(long))
    return Opinion(mine, exercise, str(binding.framework), dtypes, solution)


def of_softmax(exam: SoftmaxExam) -> Opinion:
    """For the softmax."""
    from interview_coach.grading.softmax_exam import SHAPES, SoftmaxExam, softmax_arguments
    from interview_coach.oracles.attention import softmax

    long = exam.rng(96).normal(size=(*SHAPES[0][:-1], 4 * LENGTH)[-exam.ndim :])
    short = exam.rng(98).normal(size=SHAPES[0])

    def solution(guest: Guest, info: CallableInfo, exercise: str) -> tuple[Timed, Errors]:
        theirs = SoftmaxExam(guest, info, exam.framework, softmax_arguments(info.parameters), exam.seed)

        def error(dtype: str) -> float | None:
            x = round_to(short, dtype)
            value = theirs.call(x, dtype).value
            return relative_error(value.data.astype(np.float64), softmax(x)) if isinstance(value, Tensor) else None

        return Timed(guest, lambda: theirs.call(long)), error

    dtypes = tuple(SHORT) if exam.framework == "torch" else ("float32",)
    return Opinion(Timed(exam.guest, lambda: exam.call(long)), "softmax", exam.framework, dtypes, solution)
