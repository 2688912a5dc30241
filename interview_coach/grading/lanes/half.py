"""Half precision: the error next to that of a careful computation in it. It never decides right or wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.cases import make_case
from interview_coach.grading.exam import Exam
from interview_coach.grading.failures import in_short
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.numbers import EPSILON, relative_error, round_to
from interview_coach.grading.observation import Observation
from interview_coach.grading.prose import promises_dtype, promises_half
from interview_coach.grading.reference import careful, truth

FINE, NOTED = 2.0, 5.0
"""Ratios of errors: up to the first nothing is said, up to the second a note."""
FAR = 0.05
"""An output in fp16 that is so far off is not rounded, but another."""
_FIELDS = ("q", "k", "v", "x", "context", "value_context", "bias")


def half_lane(exam: Exam) -> None:
    """fp16 and bf16, unmasked and masked; the dtype of the output; products past 65504."""
    if not exam.torch or exam.failed("formula", "shape", "mask", "hygiene"):
        return
    asked = []
    for dtype, short in (("float16", "fp16"), ("bfloat16", "bf16")):
        for masked in (False, True):
            if masked and exam.subject.binding.mask is None:
                continue
            asked.append(ask(exam, dtype, f"dtype.{short}{'-masked' if masked else ''}", masked))
    for each in asked:
        judge(exam, *each)
    overflow(exam)


def ask(exam: Exam, dtype: str, id: str, masked: bool) -> tuple[str, str, bool, AttentionInputs, Observation]:
    """Make a call in half precision, for :func:`judge`."""
    case = _case(exam, dtype, masked, len(id))
    return dtype, id, masked, case, exam.subject.run(case, dtype=dtype)


def rounded(case: AttentionInputs, dtype: str) -> AttentionInputs:
    """The case with its arrays rounded to ``dtype``."""
    copy = case.fresh()
    for name in _FIELDS:
        array = getattr(copy, name)
        if array is not None:
            setattr(copy, name, round_to(array, dtype))
    return copy


def _case(exam: Exam, dtype: str, masked: bool, key: int) -> AttentionInputs:
    return rounded(make_case(exam.subject, exam.rng(70, key), exam.dims, masked=masked, dtype=dtype, spread=1.0), dtype)


def judge(exam: Exam, dtype: str, id: str, masked: bool, case: AttentionInputs, observed: Observation) -> None:
    """The error next to that of a careful computation in the same precision, and the dtype of the output."""
    form = exam.subject.binding.mask
    if masked and form is not None and observed.output is None and form.meaning in ("keep", "drop"):
        # A mask of numbers may be meant to come in the precision of the inputs.
        floating = exam.subject.bound(mask=replace(form, dtype="float32")).run(case, dtype=dtype)
        observed = observed if floating.output is None else floating
    expected = truth(case)
    yardstick = _yardstick(exam, case, dtype, expected)
    if observed.output is None:
        _raised(exam, id, observed, dtype)
        return
    if not masked and observed.raw is not None and observed.raw.dtype != dtype:
        id_ = "dtype.preserved" if dtype == "float16" else "dtype.preserved-bf16"
        promised = promises_dtype(exam.hints.prose)
        text = f"{observed.raw.dtype} out for {dtype} in" + (
            "; the file promises the dtype of the inputs" if promised else ""
        )
        exam.add(id_, "fail" if promised else "warn", text, "dtype-not-preserved")
    error = relative_error(observed.output, expected)
    ratio = error / yardstick
    status: Any = "pass" if ratio <= FINE else "warn" if ratio <= NOTED else "fail"
    detail = f"error {error:.1e}, a careful computation {yardstick:.1e}"
    if not np.isfinite(observed.output).all():
        detail += f"; {int((~np.isfinite(observed.output)).sum())} entries are not finite"
    code = "mask-fill-overflows-half" if masked and not exam.failed("dtype") else None
    exam.add(id, status, detail, code if status == "fail" else None, measured=ratio, allowed=NOTED, unit="ratio")


def _yardstick(exam: Exam, case: AttentionInputs, dtype: str, expected: Array) -> float:
    """The error of a careful computation in a precision; on a GPU that of the kernel there, where it is larger."""
    error = max(relative_error(careful(case, dtype), expected), EPSILON[dtype] / 2)
    kernel = None if exam.kernel_error is None else exam.kernel_error(case, dtype)
    return error if kernel is None else max(error, min(kernel, FINE * error))


_UNSUPPORTED = ("not implemented for", "not supported")
_MIXED = ("to have the same dtype", "dtypes must be the same", "expected scalar type", "must have the same dtype")


def _raised(exam: Exam, id: str, observed: Observation, dtype: str) -> None:
    failure = observed.failure
    text = observed.problem if failure is None else in_short(failure)
    where = f" (line {failure.line})" if failure is not None and failure.line else ""
    if any(word in text for word in _UNSUPPORTED):
        exam.add(id, "skip", f"torch has no such operation in {dtype} on this device: {text}"[:300])
        return
    if exam.subject.binding.cache is not None and re.search("same dtype|scalar type", text):
        exam.add(id, "warn", f"the cache has another dtype{where}: {text}"[:400], question="fp16-overflow-bf16")
        return
    overflow = "without overflow" in text
    # Code that makes single precision inside meets it in a product, and says so: it was not written for halves.
    mixed = any(words in text for words in _MIXED) and not promises_half(exam.hints.prose)
    exam.add(
        id,
        "warn" if mixed else "fail",
        f"raises in {dtype}{where}: {text}"[:400],
        "mask-fill-overflows-half" if overflow else None,
        question="fp16-overflow-bf16",
    )


def overflow(exam: Exam, required: bool = False) -> None:
    """Products past 65504 that the scale would bring back: told, required only where the exercise is about it."""
    if exam.subject.binding.projected:
        return
    case = make_case(exam.subject, exam.rng(71), exam.dims, spread=1.0)
    assert case.q is not None and case.k is not None
    q, k = case.q.copy(), case.k.copy()
    q[..., 0], k[..., 0] = 300.0, 300.0
    case = rounded(replace_qk(case, q, k), "float16")
    observed = exam.subject.run(case, dtype="float16")
    if observed.output is None:
        return
    held = bool(np.isfinite(observed.output).all())
    if required:
        # A guard may turn what overflowed into zeros.
        held = held and relative_error(observed.output, truth(case)) <= FAR
    if held:
        exam.add("dtype.fp16-large-products", "pass", "q·k of 90,000 stays finite in fp16")
    else:
        promised = promises_half(exam.hints.prose)
        text = "q·k past 65504 overflows before the scale in fp16; scale q first"
        exam.add(
            "dtype.fp16-large-products", "fail" if promised or required else "warn",
            text + ("; the file promises to be safe in half precision" if promised else ""),
            "half-overflow-before-scale",
        )  # fmt: skip


def replace_qk(case: AttentionInputs, q: Any, k: Any) -> AttentionInputs:
    """The case with other queries and keys."""
    copy = case.fresh()
    copy.q, copy.k = q, k
    return copy


__all__ = ["ask", "half_lane", "judge", "overflow", "replace", "rounded"]
