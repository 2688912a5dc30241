"""The checks of a softmax: formula, lengths, hygiene, gradients, stability, half precision."""

from __future__ import annotations

import re

import numpy as np

from interview_coach.grading.failures import in_short, stems_from_work_in_place
from interview_coach.grading.lanes.hygiene import ATTENTION_CALLS
from interview_coach.grading.numbers import EPSILON, relative_error, round_to
from interview_coach.grading.observation import describe
from interview_coach.grading.prose import promises_zero_slices
from interview_coach.grading.protocol import NO_BFLOAT16, Call, Tensor
from interview_coach.grading.roles import parameter_role
from interview_coach.grading.softmax_exam import SHAPES, VECTOR, SoftmaxExam
from interview_coach.oracles.attention import softmax


def run_softmax(exam: SoftmaxExam) -> None:
    """All checks of the exercise."""
    shape = SHAPES[4 - exam.ndim]
    for key in (2, 3):
        x = exam.draw(key, shape)
        exam.compare(f"formula.draw-{key - 1}", x, exam.call(x))
    if exam.has_axis and exam.ndim > 1:
        for axis in (0, 1, -2):
            x = exam.draw(4 + axis, shape)
            exam.compare(f"formula.axis{axis}", x, exam.call(x, axis=axis), axis, f"dim = {axis}")
    elif exam.ndim > 1:
        _constructor_axis(exam, shape)
    if exam.ndim == 1 and not re.search(VECTOR + r"|\(n\)", exam.prose, re.IGNORECASE):
        exam.add(
            "shape.rows",
            "fail",
            "runs on a single vector only; a matrix of rows raises or comes back in another shape",
            "crashes-on-shape",
        )
    lengths = (1, 2, 17, 64, 129)
    for length in lengths:
        x = exam.draw(10, (*shape[:-1], length))
        exam.compare(f"shape.length-{length}", x, exam.call(x), detail=f"{length} logits")
    _hygiene(exam, shape)
    wrong = any(c.status == "fail" for c in exam.checks)
    if exam.framework == "torch" and not wrong:
        _gradient(exam, shape)
    if not any(c.status == "fail" and c.group in ("formula", "shape") for c in exam.checks):
        _stability(exam, shape)
        if exam.framework == "torch":
            _half(exam, shape)


def _constructor_axis(exam: SoftmaxExam, shape: tuple[int, ...]) -> None:
    """An axis that is given when the object is made."""
    name = next((p.name for p in exam.info.parameters if parameter_role(p.name) == "axis"), None)
    if exam.info.kind != "class" or name is None:
        return
    made = exam.guest.call(Call(exam.info.name, kwargs={name: 1}, framework=exam.framework))
    if made.ref is None or made.failure is not None:
        return
    usual, exam.target = exam.target, made.ref
    x = exam.draw(8, shape)
    exam.compare("formula.axis1", x, exam.call(x), 1, f"made with {name}=1")
    exam.target = usual


def _hygiene(exam: SoftmaxExam, shape: tuple[int, ...]) -> None:
    x = exam.draw(20, shape)
    first = exam.call(x, watch=frozenset({"library"}))
    second, other, third = exam.call(x), exam.call(exam.draw(21, shape)), exam.call(x)
    exam.add(
        "hygiene.inputs-unchanged",
        "fail" if first.mutated else "pass",
        "x is changed in place" if first.mutated else "",
        "mutates-inputs",
    )
    used = [c for c in first.library if c in exam.forbidden or re.search(ATTENTION_CALLS, c)]
    exam.add(
        "hygiene.own-implementation",
        "fail" if used else "pass",
        f"calls {', '.join(used)}" if used else "",
        "delegates-to-library",
    )
    values = [o.value.data if isinstance(o.value, Tensor) else None for o in (first, second, third, other)]
    same = values[0] is not None and all(
        v is not None and np.array_equal(v, values[0], equal_nan=True) for v in values[1:3]
    )
    exam.add(
        "hygiene.repeatable",
        "pass" if same else "fail",
        "" if same else "the same call gives another result",
        "nondeterministic",
    )
    stale = values[0] is not None and values[3] is not None and np.array_equal(values[0], values[3]) and shape[-1] > 1
    exam.add(
        "hygiene.no-stale-result",
        "fail" if stale else "pass",
        "new inputs give the result of the call before" if stale else "",
        "stale-result",
    )
    for memory in ("transposed", "sliced"):
        if exam.ndim < 2 and memory == "transposed":
            continue
        outcome, plain = exam.call(x, memory=memory), values[0]
        if not isinstance(outcome.value, Tensor) or plain is None or not same:
            continue
        if relative_error(outcome.value.data, softmax(x)) > 1e-4 >= relative_error(plain, softmax(x)):
            # Kernels may take the last axis to be contiguous.
            status = "warn" if exam.guest.interprets and memory == "sliced" else "fail"
            exam.add(f"hygiene.{memory}-view", status, f"wrong on a {memory} view", "assumes-contiguous")


def _gradient(exam: SoftmaxExam, shape: tuple[int, ...]) -> None:
    if exam.guest.forward_only:
        exam.add("gradient.x", "skip", "no backward pass is offered")
        return
    x, g = exam.draw(30, shape), exam.draw(31, shape)
    outcome = exam.call(x, cotangent=g)
    failure = outcome.gradient_failure
    if failure is not None and stems_from_work_in_place(failure.message):
        exam.add("gradient.x", "warn", f"no gradient can be had: {in_short(failure)}")
        return
    if failure is not None or not outcome.gradients or outcome.gradients[0] is None:
        exam.add("gradient.x", "fail", in_short(failure) if failure else "no gradient reaches x", "gradient-detached")
        return
    p = softmax(x)
    want = p * (g - (p * g).sum(-1, keepdims=True))
    error = relative_error(outcome.gradients[0].data.astype(np.float64), want)
    status = "pass" if error <= 1e-4 else "fail"
    exam.add("gradient.x", status, "", "gradient-wrong", measured=error, allowed=1e-4, unit="relative error")


def _stability(exam: SoftmaxExam, shape: tuple[int, ...]) -> None:
    base = exam.draw(40, shape)
    slope = np.linspace(0, 300, shape[-1])
    for id, detail, x in (
        ("large-logits", "logits up to ±300", base * (300 / np.abs(base).max())),
        ("shifted-up", "all logits + 280", base + 280),
        ("shifted-down", "all logits - 280", base - 280),
        ("rising", "logits rise by 300", base + slope),
        ("falling", "logits fall by 300", base - slope),
        ("huge-logits", "all logits + 10000", base + 10000),
    ):
        y = np.asarray(x, np.float32).astype(np.float64)
        exam.compare(f"stability.{id}", y, exam.call(y), detail=detail, code="no-max-subtraction", see=False)
    x = base.copy()
    x[..., 0] = -np.inf
    x[..., -1] = -np.inf if shape[-1] > 3 else x[..., -1]
    exam.compare("stability.minus-infinity", x, exam.call(x), detail="-inf entries", code="fully-masked-nan", see=False)
    x = base.copy()
    if exam.ndim > 1:
        x[..., 0, :] = -np.inf
        outcome = exam.call(x)
        if isinstance(outcome.value, Tensor) and outcome.value.data.shape == x.shape:
            got = outcome.value.data[..., 0, :]
            ok = bool(np.all(got == 0))
            exam.add(
                "stability.all-minus-infinity",
                "pass" if ok else "fail" if promises_zero_slices(exam.prose) else "warn",
                "" if ok else "a row of only -inf does not give 0 (house convention)",
                None if ok else "fully-masked-nan",
            )


def _half(exam: SoftmaxExam, shape: tuple[int, ...]) -> None:
    for dtype, short in (("float16", "fp16"), ("bfloat16", "bf16")):
        if dtype == "bfloat16" and exam.guest.interprets:
            exam.add(f"dtype.{short}", "skip", NO_BFLOAT16)
            continue
        for id, offset in ((f"dtype.{short}", 0.0), (f"dtype.{short}-shifted", 50.0)):
            x = round_to(exam.draw(50, shape) + offset, dtype)
            outcome = exam.call(x, dtype)
            if not isinstance(outcome.value, Tensor):
                text = in_short(outcome.failure) if outcome.failure else describe(outcome.value)
                missing = "not implemented for" in text
                exam.add(id, "skip" if missing else "fail", f"raises in {dtype}: {text}"[:300], None)
                continue
            if outcome.value.dtype != dtype:
                exam.add("dtype.preserved", "warn", f"{outcome.value.dtype} out for {dtype} in")
            want = softmax(x)
            yardstick = max(relative_error(round_to(want, dtype), want), EPSILON[dtype] / 2)
            ratio = relative_error(outcome.value.data.astype(np.float64), want) / yardstick
            # exp(x - logsumexp(x)) is right, and off by the rounding of a log-sum-exp as large as the logits.
            status = "pass" if ratio <= 2 else "warn" if ratio <= 2 * max(offset, 2.5) else "fail"
            exam.add(
                id,
                status,
                "",
                "no-max-subtraction" if status == "fail" and not np.isfinite(ratio) else None,
                measured=ratio,
                allowed=2 * max(offset, 2.5),
                unit="ratio",
            )
