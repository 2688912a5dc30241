"""Triton kernels in the interpreter: fewer and other inputs, since a call takes long and tiles are large.

A kernel's tiles hold 16 to 128 rows, so that faults of a tiled loop show on more than 128 keys; one head and few
queries keep such a call short.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from interview_coach.grading.cases import LONGEST_TILE, WHOLE_TILES, make_case
from interview_coach.grading.contract import Subject
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.lanes.gradients import gradient_lane
from interview_coach.grading.lanes.half import ask, judge, overflow
from interview_coach.grading.lanes.hygiene import hygiene_lane
from interview_coach.grading.lanes.masks import judge_empty_rows, mask_lane
from interview_coach.grading.lanes.semantics import causal_flag
from interview_coach.grading.lanes.stability import stability_lane
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.observation import Observation
from interview_coach.grading.protocol import INTERPRETED, NO_BFLOAT16, Failure, Stray, Tensor
from interview_coach.grading.reference import allowed_error, truth
from interview_coach.grading.submission import Submission

NAMES_LSE, LSE_ALLOWED = r"lse|log[-_ ]?sum[-_ ]?exp", 1e-4
_ALIGNED = "16-byte aligned"
"""What triton says of rows that a tensor descriptor cannot start at: no GPU could copy them."""
LAST_AXIS_VIEWS = ("hygiene.transposed-view", "hygiene.sliced-view")
"""Views in which the last axis has a stride: kernels may take it to have none, as flash-attention's own do."""


def formula(exam: Exam) -> None:
    """The formula, with few keys and with more than a tile of them."""
    exam.inference.notes.append(INTERPRETED)
    for number, id in ((1, "formula.generic"), (2, "formula.second-draw")):
        case = make_case(exam.subject, exam.rng(10, number), exam.dims)
        observed = exam.subject.run(case)
        exam.compare(id, case, observed)
        exam.longest_s = observed.outcome.seconds
        kernels, rows = observed.outcome.kernels, exam.dims.b * exam.dims.h * exam.dims.sq
        exam.row_by_row = kernels is not None and kernels.programs >= rows
        if number == 1 and not exam.failed():
            _log_sum_exp(exam, case, observed)
    free = exam.dims.d not in (16, 64)
    d = 6 if free else 32
    other = replace(exam.dims, d=d, dv=d if exam.dims.dv == exam.dims.d else 4)
    case = make_case(exam.subject, exam.rng(10, 3), other)
    exam.compare("formula.other-head-size", case, exam.subject.run(case), detail=f"head size {d}")


def _log_sum_exp(exam: Exam, case: AttentionInputs, observed: Observation) -> None:
    """A second output that the file calls so: natural, or base 2 as kernels keep it, which is told."""
    value = observed.outcome.value
    second = value[1] if isinstance(value, list | tuple) and len(value) > 1 else None
    if not isinstance(second, Tensor) or not re.search(
        r"lse|log[-_ ]?sum[-_ ]?exp", exam.submission.text, re.IGNORECASE
    ):
        return
    assert case.q is not None and case.k is not None
    if case.q.shape[:2] != case.k.shape[:2] or second.data.size != np.prod(case.q.shape[:3]):
        return
    logits = case.q @ case.k.swapaxes(-1, -2) * case.q.shape[-1] ** -0.5
    if case.causal:
        sq, sk = logits.shape[-2:]
        seen = np.arange(sk) <= np.arange(sq)[:, None] + case.first_position(sq, sk)
        logits = np.where(seen, logits, -np.inf)
    natural = np.log(np.exp(logits).sum(-1))
    got = second.data.astype(np.float64).reshape(-1)
    for order in ((0, 1, 2), (0, 2, 1)):
        expected = natural.transpose(order).reshape(-1)
        if relative_error(got, expected) <= LSE_ALLOWED:
            exam.add("formula.log-sum-exp", "pass")
            return
        if relative_error(got, expected / np.log(2.0)) <= LSE_ALLOWED:
            exam.add("formula.log-sum-exp", "warn", "the log-sum-exp comes back in base 2", question="online-softmax")
            return
    exam.add(
        "formula.log-sum-exp", "fail", "the second output is not the log-sum-exp of the scaled scores", "lse-wrong"
    )


def shapes(exam: Exam) -> None:
    """One row, one key, and lengths that end inside a tile, with and without the causal flag."""
    _narrowed(exam)
    alike = replace(exam.dims, b=1, dv=exam.dims.d)
    tries = [("shape.batch-of-one", alike, "B = 1, equal dims")] if exam.dims.b > 1 else []
    free = exam.dims.sq < LONGEST_TILE
    if free:
        tries.append(("shape.one-token", replace(exam.dims, sq=1, sk=1), "Sq = Sk = 1"))
    if exam.dims.sq != exam.dims.sk:
        tries.append(("shape.one-query", replace(exam.dims, sq=1), "Sq = 1"))
        if not exam.subject.binding.causal:
            tries.append(("shape.one-key", replace(exam.dims, sk=1), "Sk = 1"))
    for key, (id, shape, detail) in enumerate(tries):
        case = make_case(exam.subject, exam.rng(20, key), shape)
        exam.compare(id, case, exam.subject.run(case), detail=detail)
    for causal in _flags(exam):
        bound = exam.subject.bound(causal=causal)
        for sq, sk, heads in _lengths(exam, causal):
            shape = replace(exam.dims, b=1, h=heads, sq=sq, sk=sk)
            case = make_case(bound, exam.rng(21, sq, sk, causal), shape)
            detail = f"Sq = {sq}, Sk = {sk}{', causal' if causal else ''}"
            id = f"shape.lengths-{sq}-{sk}{'-causal' if causal else ''}"
            exam.compare(id, case, bound.run(case), detail=detail)


def _flags(exam: Exam) -> tuple[bool, ...]:
    return (False, True) if exam.subject.binding.has("causal") else (exam.subject.binding.causal,)


def _lengths(exam: Exam, causal: bool) -> tuple[tuple[int, int, int], ...]:
    """Lengths of queries and keys, and heads."""
    if exam.dims.sq >= LONGEST_TILE:
        return ((2 * exam.dims.sq, 2 * exam.dims.sq, 1),)
    if exam.dims.sq == exam.dims.sk:
        return ((37, 37, 2), (150, 150, 1))
    if exam.row_by_row:  # no tile holds several rows, and each of them takes long
        return ((9, 53, 2), (24, 150, 1) if causal else (6, 150, 1))
    return ((37, 53, 2), (20, 150, 1), (150, 150, 1) if causal else (150, 20, 1))


def _narrowed(exam: Exam) -> None:
    """Shapes that the contract allows and the submission did not take."""
    if not exam.inference.narrowed or not exam.inference.failures:
        return
    reason = f"only {exam.inference.narrowed}: {exam.inference.failures[0]}"[:300]
    # Besides powers of two, which triton itself asks for.
    refusals = [f for f in exam.inference.refusals if "power of 2" not in f.message]
    refused = refusals and all(deliberate(exam.submission, f) or _ALIGNED in f.message for f in refusals)
    stub = exam.submission.directive == exam.exercise.id
    if not stub and (refused or (exam.hints.one_length and "dim" not in exam.inference.narrowed)):
        exam.add("shape.generic", "warn", reason)
    else:
        exam.add("shape.generic", "fail", reason, "crashes-on-shape")


def deliberate(submission: Submission, failure: Failure) -> bool:
    """Whether the submission refused its inputs itself: an ``assert`` or a ``raise`` of its own."""
    return any(
        isinstance(node, ast.Assert | ast.Raise) and node.lineno <= (failure.line or 0) <= (node.end_lineno or 0)
        for node in submission.nodes
    )


def causal_edges(exam: Exam) -> None:
    """Causal attention with more queries than keys: whole tiles of queries see nothing."""
    if True not in _flags(exam) or exam.dims.sq == exam.dims.sk or exam.failed("formula", "shape"):
        return
    bound: Subject = exam.subject.bound(causal=True)
    case = make_case(bound, exam.rng(40), replace(exam.dims, b=1, sq=40, sk=20))
    judge_empty_rows(exam, case, bound.run(case), "mask.before-first-key")


def hygiene(exam: Exam) -> None:
    """As for any submission; a stride in the last axis is seldom allowed for, and never by flash-attention itself."""
    hygiene_lane(exam)
    status = {c.id: c.status for c in exam.checks}
    if status.get("hygiene.split-view") == "pass":
        for i, check in enumerate(exam.checks):
            if check.id in LAST_AXIS_VIEWS and check.status == "fail":
                exam.checks[i] = replace(check, status="warn", detail=f"the last axis has a stride: {check.detail}")
                exam.codes.pop("assumes-contiguous", None)


def gradients(exam: Exam) -> None:
    """Where a backward pass is offered: by an autograd function that has one."""
    if not exam.subject.guest.forward_only:
        gradient_lane(exam)
        if not any(c.id == "gradient.values" and "NotImplementedError" in c.detail for c in exam.checks):
            return
        exam.checks[:] = [c for c in exam.checks if c.id != "gradient.values"]
        exam.codes.pop("gradient-wrong", None)
    exam.add("gradient.values", "skip", "no backward pass is offered")


def stability(exam: Exam) -> None:
    """Large and shifted logits, which rise and fall over several tiles."""
    dims = exam.inference.dims
    if dims.sq < LONGEST_TILE:
        keys = 150
        exam.inference.dims = replace(dims, b=1, h=1, sq=6 if dims.sq != dims.sk else keys, sk=keys)
    try:
        stability_lane(exam)
    finally:
        exam.inference.dims = dims


def half(exam: Exam) -> None:
    """fp16; the interpreter holds bfloat16 as integers, and multiplies them as such."""
    if not exam.torch or exam.failed("formula", "shape", "mask", "hygiene"):
        return
    judge(exam, *ask(exam, "float16", "dtype.fp16", masked=False))
    # Sums of products are kept in float32, which is what the exercise asks for.
    if not exam.failed("stability"):
        overflow(exam, required=exam.exercise.id == "triton-flash")
    exam.add("dtype.bf16", "skip", NO_BFLOAT16)


def right_on_whole_tiles(exam: Exam) -> bool:
    """Whether it is right where no tile is cut short, after it was wrong elsewhere."""
    case = make_case(exam.subject, exam.rng(22), WHOLE_TILES)
    observed = exam.subject.run(case)
    if observed.output is None:
        return False
    expected = truth(case)
    return relative_error(observed.output, expected) <= allowed_error(case, expected)


def strayed(exam: Exam, access: str) -> list[Stray]:
    """Loads or stores outside of a buffer, of all calls so far."""
    outcomes = (step.outcome.kernels for step in exam.subject.guest.steps if step.outcome is not None)
    return [stray for kernels in outcomes if kernels for stray in kernels.strays if stray.access == access]


def memory(exam: Exam) -> None:
    """What the kernels did outside of their buffers, from all calls so far."""
    stored, loaded = (strayed(exam, access) for access in ("store", "load"))
    if stored:
        text = f"{_count(stored)} entries stored outside of {_where(stored)}: on a GPU that overwrites what lies there"
        exam.add("hygiene.stores-in-bounds", "fail", text, "tail-not-masked")
    else:
        exam.add("hygiene.stores-in-bounds", "pass")
    if loaded:
        text = f"{_count(loaded)} entries loaded from outside of {_where(loaded)}: on a GPU that reads what lies there"
        # Where the result is right, what was read so is not used.
        exam.add("hygiene.loads-in-bounds", "fail" if exam.failed("formula", "shape") else "warn", text)
    else:
        exam.add("hygiene.loads-in-bounds", "pass")


def _count(strays: list[Stray]) -> int:
    return sum(stray.count for stray in strays)


def _where(strays: list[Stray]) -> str:
    first = strays[0]
    return f"{first.argument} (line {first.line})" if first.line else first.argument


def launches(exam: Exam) -> set[str]:
    """Names of the submission's own kernels that were launched in the calls so far."""
    kernels = (step.outcome.kernels for step in exam.subject.guest.steps if step.outcome is not None)
    return {name for k in kernels if k is not None for name in k.launches}


def own_kernel(exam: Exam) -> None:
    """The exercise asks for a kernel of its own."""
    launched = launches(exam)
    if launched:
        exam.add("efficiency.own-kernel", "pass", f"launches {', '.join(sorted(launched))}")
    else:
        exam.add("efficiency.own-kernel", "fail", "launches no @triton.jit kernel of its own")


KERNEL_LANES: tuple[Callable[[Exam], None], ...] = (
    formula,
    mask_lane,
    causal_flag,
    shapes,
    causal_edges,
    hygiene,
    gradients,
    stability,
    half,
    memory,
)
