"""Gradients: their values against the float64 oracle, not whether they are there."""

from __future__ import annotations

import numpy as np

from interview_coach.grading.cases import as_float32, make_case
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.reference import truth

STEP = 1e-5
"""Step of the central difference in float64; its error is about the square of it."""
ALLOWED = 1e-4
DIRECTIONS = 3


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
    if failure is not None:
        detached = any(text in failure.message for text in ("does not require grad", "grad_fn", "by a graph"))
        exam.add(
            "gradient.values",
            "fail",
            f"{failure.exception}: {failure.message}"[:300],
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
        exam.add(
            f"gradient.{role}", "pass" if error <= ALLOWED else "fail",
            f"derivative along {DIRECTIONS} random directions", "gradient-wrong",
            measured=error, allowed=ALLOWED, unit="relative error",
        )  # fmt: skip


def _field(case: AttentionInputs, role: str) -> str:
    if case.weights is None:
        return role
    return {"q": "x", "k": "context", "v": "value_context"}.get(role, role)


def _worst(exam: Exam, case: AttentionInputs, cotangent: np.ndarray, role: str, gradient: np.ndarray) -> float:
    name = _field(case, role)
    rng = exam.rng(52, len(role))
    worst = 0.0
    shared = name == "context" and case.value_context is None
    base = getattr(case, name)
    for _ in range(DIRECTIONS):
        direction = rng.normal(size=base.shape)
        values = []
        for sign in (1.0, -1.0):
            moved = case.fresh()
            setattr(moved, name, base + sign * STEP * direction)
            if name == "context" and not shared:
                moved.value_context = case.value_context
            values.append(float((truth(moved) * cotangent).sum()))
        slope = (values[0] - values[1]) / (2 * STEP)
        size = float(np.linalg.norm(gradient)) or 1.0
        worst = max(worst, abs(float((gradient * direction).sum()) - slope) / size)
    return worst
