"""Which wrong variant a function computes: the nearest on every observation, alone or in pairs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from interview_coach.grading.codes import message, question
from interview_coach.grading.diagnosis import FIT
from interview_coach.grading.failures import SubmissionError
from interview_coach.grading.functions.distance import HALF_FIT, in_precision, worst, yardsticks
from interview_coach.grading.functions.exam import FunctionExam
from interview_coach.grading.functions.subject import FunctionSubject
from interview_coach.grading.functions.task import Array, Case, Choice, Output, Outputs, Task, Wrong
from interview_coach.grading.lanes.hygiene import uses_empty
from interview_coach.grading.lines import line_of
from interview_coach.grading.reference import SLACK
from interview_coach.grading.report import Diagnosis

Seen = tuple[Case, Outputs]
_DOWN = frozenset(
    f"stability.{id}"
    for id in (
        *("shifted-down", "far-down", "large-logits", "falling", "rising-short", "falling-short"),
        *(f"{role}-below-{size}" for role in ("mask", "causal") for size in (200, 20000)),
    )
)
"""Probes that a finite start of the running maximum may fail."""
_FALLING = frozenset(f"stability.{id}" for id in ("falling", "large-logits", "falling-short", "rising-short"))
"""Probes that a maximum of the tile alone may fail."""
_MAX_SEEN = 5
_ONE_SIDED, _FEW = 0.5, 20
"""Rounding errors have either sign; the mean sign of many is near 0."""
MOST_PAIRS = 2000
"""So many pairs are looked at before the search is given up: all of most exercises, in half a second or so."""


def fit(task: Task) -> float:
    """Largest distance at which a variant counts as what a submission computes."""
    return HALF_FIT if task.narrow_dtype else FIT


def _residual(task: Task, seen: Sequence[Seen], outputs: Sequence[Output], choice: Choice) -> float:
    far = 0.0
    for case, got in seen:
        try:
            with np.errstate(all="ignore"):
                values = task.compute(case, choice)
        except (ValueError, IndexError):
            return float("inf")
        kept = tuple(np.asarray(v, np.float64) for v, o in zip(values, task.outputs, strict=True) if o in outputs)
        pairs = [_comparable(g, k) for g, k in zip(got, kept, strict=True)]
        if any(p is None for p in pairs):
            return float("inf")
        off = worst(tuple(p[0] for p in pairs if p), tuple(p[1] for p in pairs if p), outputs, case)
        if off > fit(task) and not (off < 1e-2 and off <= SLACK * _rounding(task, case, choice, outputs, kept)):
            return float("inf")
        far = max(far, min(off, fit(task)))
    return far


def _rounding(task: Task, case: Case, choice: Choice, outputs: Sequence[Output], exact: Outputs) -> float:
    """How far a variant is from itself in single precision: one that divides by sums near zero is far."""
    with np.errstate(all="ignore"):
        values = task.compute(in_precision(case, task, np.float32), choice)
    kept = tuple(np.asarray(v, np.float64) for v, o in zip(values, task.outputs, strict=True) if o in outputs)
    return worst(kept, exact, outputs, case)


def _comparable(got: Array, variant: Array) -> tuple[Array, Array] | None:
    """Both without the entries where the variant divides by nothing: there a guard may stand in the code."""
    if got.size == variant.size == 1:
        got, variant = got.reshape(()), variant.reshape(())
    blank = np.isnan(variant)
    if got.shape != variant.shape or (blank.any() and blank.mean() > 0.5):
        return None
    return np.where(blank, 0, got), np.where(blank, 0, variant)


def explain(
    task: Task, seen: Sequence[Seen], outputs: Sequence[Output], *, pairs: bool = True
) -> tuple[list[str], float] | None:
    """The codes whose variants reproduce all that was seen, and the distance; ``None`` when none do."""
    if not seen or all(any(np.isnan(a).all() for a in arrays) for _, arrays in seen):
        return None
    nearest: tuple[list[str], float] | None = None
    for wrong in task.wrong:
        far = _residual(task, seen, outputs, {wrong.stage: wrong.option})
        if far <= (fit(task) if nearest is None else nearest[1] / 2):
            nearest = wrong.code.split(), far
            if not task.narrow_dtype:
                return nearest
    if nearest is not None:
        return nearest
    if not pairs:
        return None
    usable = [w for w in task.wrong if not w.alone]
    both = ((one, two) for one, two in itertools.combinations(usable, 2) if one.stage != two.stage)
    for one, two in itertools.islice(both, MOST_PAIRS):
        far = _residual(task, seen, outputs, {one.stage: one.option, two.stage: two.option})
        if far <= fit(task):
            return list(dict.fromkeys([*one.code.split(), *two.code.split()])), far
    return None


def _telling(exam: FunctionExam) -> list[Seen]:
    """A few observations, wrong ones first."""
    outputs = exam.subject.outputs

    def right(one: Seen) -> bool:
        truth = exam.subject.truth(one[0])
        return all(g.shape == t.shape for g, t in zip(one[1], truth, strict=True)) and worst(
            one[1], truth, outputs, one[0]
        ) <= fit(exam.task)

    wrong = [s for s in exam.seen if not right(s)]
    if any("own" in case for case, _ in wrong):
        return wrong  # right with right tables: that says nothing about what is wrong in the file's own
    rest = [s for s in exam.seen if right(s)]
    return [*wrong[:3], *rest[: _MAX_SEEN - len(wrong[:3])]] if wrong else []


def diagnose_function(exam: FunctionExam) -> tuple[Diagnosis, ...]:
    """Bugs of a function."""
    found: dict[str, Diagnosis] = {}
    scope = exam.subject.binding.info.name
    tree = exam.submission.tree

    def name(code: str, distance: float | None = None) -> None:
        text = message(code)
        if distance is not None:
            text += f", to {max(distance, 1e-9):.0e}"
        found.setdefault(
            code, Diagnosis(code, text, line_of(tree, code, scope), distance, question(code) or exam.task.question)
        )

    if exam.failed() and _replayed(exam):
        name("stale-result")
        return tuple(found.values())
    if exam.failed("formula", "shape", "mask"):
        known = _explained(exam)
        if known is not None:
            for code in known[0]:
                name(code, known[1])
        elif _not_finite(exam) and uses_empty(tree) is not None:
            name("uninitialised-memory")
        elif _not_finite(exam) and _only_where_hidden(exam):
            name("max-not-kept" if _overflows_where_logits_fall(exam) else "inf-minus-inf")
        elif _rounded_inside(exam):
            name("low-precision-inside")
        elif _right_when_first(exam):
            name("stale-result")
        elif exam.subject.binding.rows and _telling(exam) and _first_output_right(exam):
            name("lse-wrong")
    for code in exam.codes:
        if code == "crashes-on-shape" and found:
            continue
        if code == "half-overflow-before-scale" and "low-precision-inside" in exam.codes:
            continue  # what is rounded too much is off for large products as well
        if code == "fully-masked-nan" and exam.failed("formula", "shape"):
            continue  # what is wrong for all queries is wrong for those without a key
        if code == "mask-fill-weak" and exam.fails("stability.shifted-down"):
            continue  # low logits come out wrong without a mask, too
        name(_refined(exam, code))
    if not found and exam.task.general and exam.failed("formula", "shape"):
        name(exam.task.general)
    return tuple(found.values())


def _explained(exam: FunctionExam) -> tuple[list[str], float] | None:
    """What reproduces all outputs, else the first alone: numbers that come beside it may be wrong in their own way."""
    seen, outputs = _telling(exam), exam.subject.outputs
    known = explain(exam.task, seen, outputs)
    if known is None and exam.subject.binding.rows and seen and not _first_output_right(exam):
        alone = [(case, arrays[:1]) for case, arrays in seen]
        known = explain(exam.task, alone, outputs[:1], pairs=False)
    return known


def _first_output_right(exam: FunctionExam) -> bool:
    outputs = exam.subject.outputs[:1]
    return all(
        arrays[0].shape == (want := exam.subject.truth(case)[:1])[0].shape
        and worst(arrays[:1], want, outputs, case) <= fit(exam.task)
        for case, arrays in exam.seen
    )


def _only_where_hidden(exam: FunctionExam) -> bool:
    """Whether what is not finite comes with keys that some queries do not see, and none of them sees none."""
    bad = [case for case, arrays in exam.seen if any(np.isnan(a).any() for a in arrays)]
    hidden = [case for case in bad if case.get("causal") or case.get("mask") is not None]
    dims = [case["dims"] for case in bad if not case.get("causal") or case["dims"]["q"] <= case["dims"]["k"]]
    return len(hidden) == len(bad) and bool(dims)


def _overflows_where_logits_fall(exam: FunctionExam) -> bool:
    """Whether it is no masked tile that breaks the pass, but any later tile with lower logits."""
    probe = next((p for p in exam.task.probes if p.id == "falling"), None)
    if probe is None or any(axis in exam.narrow.dims for axis in probe.dims):
        return False
    case = exam.case(50, dims=probe.dims)
    probe.change(case, exam.rng(51))
    outputs = exam.subject.run(case).outputs
    return outputs is not None and not all(np.isfinite(a).all() for a in outputs)


def _rounded_inside(exam: FunctionExam) -> bool:
    """Whether single precision comes out with errors of the size that half precision makes, everywhere."""
    outputs = exam.subject.outputs[:1]
    seen = [(case, arrays[:1]) for case, arrays in exam.seen[:4]]
    if exam.task.narrow_dtype or not seen:
        return False
    for dtype in ("float16", "bfloat16"):
        ratios = []
        for case, arrays in seen:
            want = exam.subject.truth(case)[:1]
            if arrays[0].shape != want[0].shape:
                return False
            stick = yardsticks(exam.task, case, want, outputs, dtype, exam.rng(96))[0]
            if abs(np.mean(np.sign((arrays[0] - want[0]) * want[0]))) > _ONE_SIDED and want[0].size > _FEW:
                return False
            ratios.append(worst(arrays, want, outputs, case) / stick)
        if min(ratios) > 0.03 and max(ratios) < 3.0:
            return True
    return False


def _replayed(exam: FunctionExam) -> bool:
    """Whether the right output of an earlier call came back for other inputs."""
    outputs = exam.subject.outputs[:1]
    return any(
        worst((output,), exam.subject.truth(case)[:1], outputs, case) <= FIT
        for case, output in exam.subject.echoes.found[:4]
    )


def _right_when_first(exam: FunctionExam) -> bool:
    """Whether a wrong output is right in a process where no call came before it: state of an earlier call is read."""
    wrong = _telling(exam)[:1]
    if not wrong or exam.reopen is None:
        return False
    case, outputs = wrong[0][0], exam.subject.outputs
    try:
        with exam.reopen() as guest:
            observed = FunctionSubject(guest, exam.task, exam.subject.binding).run(case)
    except SubmissionError:
        return False
    return observed.outputs is not None and worst(observed.outputs, exam.subject.truth(case), outputs, case) <= fit(
        exam.task
    )


def _refined(exam: FunctionExam, code: str) -> str:
    """The kind of overflow, by which of the large logits it takes."""
    failed = {c.id for c in exam.checks if c.status == "fail" and c.group == "stability"}
    if code == "half-overflow-before-scale" and "stability.large-logits" in failed:
        return "no-max-subtraction"
    if code != "no-max-subtraction":
        return code
    if failed and failed <= _DOWN and "stability.shifted-down" in failed:
        return "max-initialised-finite"
    if failed and failed <= _FALLING and failed & {"stability.falling", "stability.falling-short"}:
        return "max-not-kept"
    return code


def _not_finite(exam: FunctionExam) -> bool:
    return any(np.isnan(a).any() for _, arrays in exam.seen for a in arrays)


__all__ = ["Wrong", "diagnose_function", "explain"]
