"""Gradients: their values against the float64 oracle, not whether they are there."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from interview_coach.grading.cases import as_float32, make_case
from interview_coach.grading.exam import Exam
from interview_coach.grading.failures import in_short, stems_from_work_in_place
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.reference import truth

STEP = 1e-5
"""Step of the central difference in float64; its error is about the square of it."""
ALLOWED = 1e-4
DIRECTIONS = 3
_PATHS = (("x",), ("x", "context"), ("x", "value_context"), ("context",), ("value_context",))
"""Inputs of a module that a detached projection leaves without a gradient, seen from those that keep it."""
_INFERENCE_ONLY = (
    r"inference[- ]only|(only|just) (for|at|during) (inference|decoding)|(no|without) (backward|gradients?|autograd)\b|"
    r"forward[- ]only|"
    r"推理(专用|用的)|(仅|只)(用于|用在|供|做)?推理|不(需要|用)?(求导|反向|梯度)"
)
"""What a file says that offers no gradients."""


def gradient_lane(exam: Exam) -> None:
    """Derivatives along random directions, which have a share of every entry of the gradient."""
    if not exam.torch:
        return
    if exam.failed("formula", "shape", "mask"):
        exam.add("gradient.values", "skip", "the output is wrong already")
        return
    masked = exam.subject.binding.mask is not None
    case = make_case(exam.subject, exam.rng(50), exam.dims, masked=masked)
    expected = truth(case)
    cotangent = as_float32(exam.rng(51).normal(size=expected.shape))
    observed = exam.subject.run(case, cotangent=cotangent)
    failure = observed.outcome.gradient_failure or observed.failure
    if failure is not None and stems_from_work_in_place(failure.message):
        exam.add("gradient.values", "warn", f"no gradient can be had: {in_short(failure)}"[:300])
        return
    if failure is not None:
        none_offered = observed.failure is None and re.search(_INFERENCE_ONLY, exam.hints.prose, re.I) is not None
        detached = any(text in failure.message for text in ("does not require grad", "grad_fn", "by a graph"))
        exam.add(
            "gradient.values",
            "warn" if detached and none_offered else "fail",
            in_short(failure)[:300],
            "gradient-detached" if detached else "gradient-wrong",
        )
        return
    for role, gradient in observed.gradients.items():
        if role not in ("q", "k", "v", "x", "context"):
            continue
        if gradient is None:
            exam.add(f"gradient.{role}", "fail", f"no gradient reaches {role}", "gradient-detached")
            continue
        if not np.isfinite(gradient).all():
            exam.add(
                f"gradient.{role}",
                "fail",
                f"{int((~np.isfinite(gradient)).sum())} entries of the gradient are not finite",
                "gradient-wrong",
            )
            continue
        error = _worst(exam, case, cotangent, role, gradient)
        code = (
            "gradient-wrong"
            if error <= ALLOWED or not _partial(exam, case, cotangent, role, gradient)
            else "gradient-detached"
        )
        exam.add(
            f"gradient.{role}", "pass" if error <= ALLOWED else "fail",
            f"derivative along {DIRECTIONS} random directions", code,
            measured=error, allowed=ALLOWED, unit="relative error",
        )  # fmt: skip


def _partial(exam: Exam, case: AttentionInputs, cotangent: np.ndarray, role: str, gradient: np.ndarray) -> bool:
    """Whether the gradient of a module's input is that through some of its projections: the others are detached."""
    if case.weights is None:
        return False
    whole = case.fresh()
    whole.context = case.x if case.context is None else case.context
    whole.value_context = whole.context if case.value_context is None else case.value_context
    moved = {"x": _PATHS, "context": _PATHS[3:]}.get(role, ()) if case.context is None or role == "context" else ()
    return any(_worst(exam, whole, cotangent, role, gradient, paths) <= ALLOWED for paths in moved)


def _field(case: AttentionInputs, role: str) -> str:
    if case.weights is None:
        return role
    return {"q": "x", "k": "context", "v": "value_context"}.get(role, role)


def _worst(
    exam: Exam,
    case: AttentionInputs,
    cotangent: np.ndarray,
    role: str,
    gradient: np.ndarray,
    paths: Sequence[str] = (),
) -> float:
    """Largest difference from the slopes of the oracle, which is asked once: each step is a batch of its own.

    ``paths`` are the inputs that are moved together, that of the role if not given.
    """
    name = _field(case, role)
    rng = exam.rng(52, len(role))
    base = getattr(case, name)
    directions = rng.normal(size=(DIRECTIONS, *base.shape))
    steps = np.concatenate([STEP * directions, -STEP * directions])
    moved = _side_by_side(case, len(steps))
    for path in paths or (name,):
        setattr(moved, path, (getattr(case, path) + steps).reshape(-1, *base.shape[1:]))
    values = (truth(moved).reshape(len(steps), *cotangent.shape) * cotangent).sum(
        axis=tuple(range(1, cotangent.ndim + 1))
    )
    slopes = (values[:DIRECTIONS] - values[DIRECTIONS:]) / (2 * STEP)
    size = float(np.linalg.norm(gradient)) or 1.0
    along = directions.reshape(DIRECTIONS, -1) @ gradient.reshape(-1)
    return float(np.abs(along - slopes).max()) / size


def _side_by_side(case: AttentionInputs, times: int) -> AttentionInputs:
    """The case so often along the batch."""
    copy = case.fresh()
    first = case.q if case.q is not None else case.x
    assert first is not None
    for name in ("q", "k", "v", "x", "context", "value_context", "keep", "bias"):
        array = getattr(case, name)
        if array is not None and array.shape[0] == first.shape[0]:
            setattr(copy, name, np.tile(array, (times, *[1] * (array.ndim - 1))))
    return copy
