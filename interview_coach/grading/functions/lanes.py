"""What is tried on a function: values, shapes, hygiene, gradients, large numbers, half precision."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from interview_coach.grading.failures import in_short, stems_from_work_in_place
from interview_coach.grading.functions.distance import allowed, distance, worst, yardsticks
from interview_coach.grading.functions.exam import FunctionExam
from interview_coach.grading.functions.grouped import grouped_heads
from interview_coach.grading.functions.infer import speaks_of_one_shape, speaks_of_vectors
from interview_coach.grading.functions.subject import Observed
from interview_coach.grading.functions.tables import check_own_tables
from interview_coach.grading.functions.task import Case, Outputs, Shape
from interview_coach.grading.lanes.half import FINE, NOTED
from interview_coach.grading.lanes.hygiene import ATTENTION_CALLS
from interview_coach.grading.numbers import EPSILON, round_to
from interview_coach.grading.prose import affirms, promises_dtype, states_one_dim, states_value_dim
from interview_coach.grading.protocol import NO_BFLOAT16, Tensor

GRADIENT_ALLOWED = 1e-4
STEP = 1e-5
DIRECTIONS = 3
_HERE = r"\bhere\b|\bthis (one|version|function|code|file|implementation)\b|\bwe\b|本(实现|函数|文件)|这里|此处|我们"
"""Words for what a file itself does, beside what others do."""
_UNSUPPORTED = ("not implemented for", "not supported")


def run_function(exam: FunctionExam) -> None:
    """All checks of the exercise."""
    _formula(exam)
    _shapes(exam)
    grouped_heads(exam)
    _hygiene(exam)
    _gradients(exam)
    _stability(exam)
    _half(exam)


# ── values and shapes ──────────────────────────────────────────────────────────────────────────────────────────────


def _formula(exam: FunctionExam) -> None:
    for number, id in ((1, "formula.generic"), (2, "formula.second-draw")):
        case = exam.case(10, number)
        exam.compare(id, case, exam.subject.run(case))
    prose = "" if exam.stub else exam.prose
    for a in exam.task.alternatives:
        if a.key not in exam.subject.binding.reading or not a.promises:
            continue
        found = exam.subject.binding.reading[a.key]
        stated = [v for v, p in zip(a.values, a.promises, strict=True) if p and affirms(prose, p)]
        if len(stated) > 1:  # of several that are named, the one that is meant
            own = "\n".join(s for s in re.split(r"[;。；\n]|\.(?=\s|$)", prose) if re.search(_HERE, s, re.I))
            stated = [v for v in stated if affirms(own, a.promises[a.values.index(v)])] or stated
        if exam.stub:
            stated = [a.values[0]]
        if stated and found not in stated and not exam.failed("formula"):
            what = "the stub" if exam.stub else "the file"
            exam.add(
                f"formula.{a.key}", "fail", f"{what} asks for {a.key} = {stated[0]}, the code computes {found}", a.code
            )
    missing = [o.name for o in exam.task.outputs[len(exam.subject.outputs) :] if not o.needs] if exam.stub else []
    if missing:
        text = f"{', '.join(missing)} is missing: the stub asks for it beside {exam.task.outputs[0].name}"
        exam.add("formula.outputs", "fail", text, f"{missing[0]}-wrong" if missing[0] == "lse" else None)
    for roles in exam.task.tables:
        check_own_tables(exam, "formula.own-tables", roles)


def _shapes(exam: FunctionExam) -> None:
    if exam.subject.binding.layout.name == "D" and not speaks_of_vectors(exam.prose):
        exam.add(
            "shape.rows",
            "fail",
            "runs on a single vector only; rows of a matrix come out wrong, or raise",
            "crashes-on-shape",
        )
    without = exam.subject.binding.form.without
    if without:
        overflow = "mask-fill-overflows-half" if "without overflow" in exam.problem else "crashes-on-shape"
        exam.add(f"mask.{without}", "fail", f"raises when it is given a {without}: {exam.problem}", overflow)
    if exam.narrow.text:
        reading = exam.subject.binding.reading
        excused = not exam.stub and (
            exam.narrow.excused(exam.prose, reading)
            or (exam.one_length and "length" in exam.narrow.text)
            or (speaks_of_one_shape(exam.prose) and "equal" in exam.narrow.text)
            or (exam.narrow.text == "value dim equal to key dim" and _one_dim(exam))
        )
        if not excused:
            exam.add("shape.generic", "fail", f"runs with {exam.narrow.text} only: {exam.problem}", "crashes-on-shape")
    for key, shape in enumerate(exam.task.shapes):
        if (shape.default and shape.default not in exam.defaults) or (shape.lacks and _takes(exam, f"{shape.lacks}*")):
            continue
        if (shape.needs and not _takes(exam, shape.needs)) or set(shape.keeps) & set(exam.subject.binding.layout.drop):
            continue
        if not _fits(exam, shape):
            continue
        case = exam.case(20, key, dims=shape.dims, **shape.set)
        remark = bool(shape.promised) and re.search(shape.promised, exam.prose, re.IGNORECASE) is None
        exam.compare(
            shape.id,
            case,
            exam.subject.run(case),
            detail=shape.detail,
            code=shape.code or None,
            see=not remark,
            remark=remark,
        )


def _one_dim(exam: FunctionExam) -> bool:
    """Whether the file asks for values as wide as the keys; the tiled algorithms are written down for no others."""
    return not states_value_dim(exam.prose) and (exam.task.tiled or states_one_dim(exam.prose))


def _fits(exam: FunctionExam, shape: Shape) -> bool:
    """Whether the sizes are among those that the submission is asked for."""
    dims = {**exam.task.dims, **exam.narrow.dims, **shape.dims}
    unequal = dims.get("q") != dims.get("k")
    if exam.one_length and not exam.stub and unequal and shape.set.get("causal"):
        return False
    text = exam.narrow.text
    if "equal lengths" in text and unequal:
        return False
    if not any(a in exam.narrow.dims for a in shape.dims):
        return True
    if "equal" not in text:
        return False
    return not ("length" in text and unequal) and not ("dim" in text and dims.get("e") != dims.get("d"))


def _takes(exam: FunctionExam, role: str) -> bool:
    """Whether the submission has an argument of a role; ``block*`` stands for all that begin so."""
    return role in exam.roles or (role.endswith("*") and any(r.startswith(role[:-1]) for r in exam.roles))


# ── hygiene ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _hygiene(exam: FunctionExam) -> None:
    case, other = exam.case(30), exam.case(31)
    first = exam.subject.run(case, watch=frozenset({"library"}))
    changed = ", ".join(first.outcome.mutated)
    exam.add(
        "hygiene.inputs-unchanged",
        "fail" if changed else "pass",
        f"argument {changed} is changed in place" if changed else "",
        "mutates-inputs",
    )
    used = [c for c in first.outcome.library if c in exam.task.forbidden or re.search(ATTENTION_CALLS, c)]
    exam.add(
        "hygiene.own-implementation",
        "fail" if used else "pass",
        f"calls {', '.join(used)}" if used else "",
        "delegates-to-library",
    )
    if not first.arrays:
        return
    second, between, third = exam.subject.run(case), exam.subject.run(other), exam.subject.run(case)
    same = all(_equal(o.arrays, first.arrays) for o in (second, third))
    near = same or all(_near(o.arrays, first.arrays) for o in (second, third))
    exam.add(
        "hygiene.repeatable",
        "pass" if same else "warn" if near else "fail",
        "" if same else "the same call gives another result",
        "nondeterministic",
    )
    stale = _equal(between.arrays, first.arrays) and any(a.size > 1 or a.ndim == 0 for a in first.arrays)
    stale = (
        stale
        and all(np.isfinite(a).all() for a in first.arrays)
        and any(a.ndim == 0 or a.std() > 0 for a in first.arrays)
    )
    exam.add(
        "hygiene.no-stale-result",
        "fail" if stale else "pass",
        "new inputs give the result of the call before" if stale else "",
        "stale-result",
    )
    if exam.failed("formula"):
        return
    want = exam.subject.truth(case)
    limits = allowed(exam.task, case, want, exam.subject.outputs)
    for memory in ("transposed", "split", "sliced"):
        observed = exam.subject.run(case, memory=memory)
        id = f"hygiene.{memory}-view"
        if observed.outputs is None:
            # A split into heads makes such views of inputs with the heads first; a last axis with a stride is rare.
            usual = memory == "split" and exam.task.strict_views and not exam.subject.binding.layout.turned
            status: Any = "fail" if usual else "warn"
            exam.add(id, status, f"raises on a {memory} view: {observed.problem}", "assumes-contiguous")
        elif worst(observed.outputs, want, exam.subject.outputs, case) > 10 * max(limits):
            # Kernels may take the last axis to be contiguous, as flash-attention's own do.
            status = "warn" if exam.subject.guest.interprets and memory != "split" else "fail"
            exam.add(id, status, f"wrong on a {memory} view", "assumes-contiguous")
        else:
            exam.add(id, "pass")


def _equal(one: Outputs, two: Outputs) -> bool:
    return len(one) == len(two) and all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, two, strict=True))


def _near(one: Outputs, two: Outputs) -> bool:
    return len(one) == len(two) and all(distance(a, b) < 1e-6 for a, b in zip(one, two, strict=True))


# ── gradients ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _gradients(exam: FunctionExam) -> None:
    """Derivatives along random directions, which have a share of every entry of the gradient."""
    roles = [a.role for a in exam.subject.binding.form.arguments if exam.task.role(a.role).grad]
    if not exam.torch or not roles or exam.task.narrow_dtype or exam.failed("formula", "shape", "hygiene"):
        return
    if exam.subject.guest.forward_only:
        exam.add("gradient.values", "skip", "no backward pass is offered")
        return
    case = exam.case(40)
    want = exam.subject.truth(case)
    cotangent = np.asarray(exam.rng(41).normal(size=want[0].shape), np.float32).astype(np.float64)
    observed = exam.subject.run(case, cotangent=cotangent)
    failure = observed.outcome.gradient_failure or observed.failure
    if failure is not None:
        _no_gradient(exam, in_short(failure))
        return
    for role, gradient in zip(roles, observed.outcome.gradients, strict=False):
        if gradient is None:
            exam.add(f"gradient.{role}", "fail", f"no gradient reaches {role}", "gradient-detached")
            continue
        got = exam.subject.binding.layout.back(gradient.data.astype(np.float64), exam.task.role(role).axes)
        error = _directions(exam, case, cotangent, role, got) if np.isfinite(got).all() else float("inf")
        ok = error <= GRADIENT_ALLOWED
        exam.add(
            f"gradient.{role}",
            "pass" if ok else "fail",
            f"derivative along {DIRECTIONS} random directions",
            "gradient-wrong",
            measured=error,
            allowed=GRADIENT_ALLOWED,
            unit="relative error",
        )


def _no_gradient(exam: FunctionExam, text: str) -> None:
    detached = any(t in text for t in ("does not require grad", "grad_fn", "by a graph"))
    deliberate = re.search(r"no_grad|inference_mode", exam.submission.text) is not None
    if stems_from_work_in_place(text) or (detached and deliberate) or not exam.task.strict_gradient:
        exam.add("gradient.values", "warn", f"no gradient can be had: {text}")
        return
    exam.add("gradient.values", "fail", text, "gradient-detached" if detached else "gradient-wrong")


def _directions(exam: FunctionExam, case: Case, cotangent: Any, role: str, gradient: Any) -> float:
    rng = exam.rng(42, len(role))
    far = 0.0
    for _ in range(DIRECTIONS):
        direction = rng.normal(size=gradient.shape)
        values = [
            float((exam.subject.truth({**case, role: case[role] + sign * STEP * direction})[0] * cotangent).sum())
            for sign in (1.0, -1.0)
        ]
        slope = (values[0] - values[1]) / (2 * STEP)
        size = float(np.linalg.norm(gradient)) or 1.0
        far = max(far, abs(float((gradient * direction).sum()) - slope) / size)
    return far


# ── numerics ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _stability(exam: FunctionExam) -> None:
    if exam.failed("formula", "shape", "mask", "hygiene"):
        return
    for key, probe in enumerate(exam.task.probes):
        if probe.role and probe.role not in exam.roles:
            continue
        if set(probe.needs) & set(exam.subject.binding.layout.drop) or any(a in exam.narrow.dims for a in probe.dims):
            continue
        # A weak fill shows in low logits as well: it is asked for by its own probes.
        unmasked = {"mask": None} if "mask" in exam.defaults and probe.role != "mask" else {}
        case = exam.case(50, key, dims=probe.dims, **unmasked)
        probe.change(case, exam.rng(51, key))
        remark = probe.promised is not None and re.search(probe.promised, exam.prose, re.IGNORECASE) is None
        exam.compare(
            f"stability.{probe.id}",
            case,
            exam.subject.run(case),
            detail=probe.detail,
            code=probe.code or None,
            see=False,
            remark=remark,
        )


def _half(exam: FunctionExam) -> None:
    """fp16 and bf16 next to what such precision cannot avoid; the dtype of what comes back."""
    if exam.failed("formula", "shape", "mask", "hygiene"):
        return
    tried: tuple[tuple[str, str], ...] = (("float16", "fp16"), ("bfloat16", "bf16"))
    if exam.task.narrow_dtype:
        tried = tuple(t for t in tried if t[0] == exam.task.dtype)
    else:
        _preserved(exam, "float32", exam.subject.run(exam.case(60)))
        if not exam.torch or not exam.task.half:
            return
    for dtype, short in tried:
        if dtype == "bfloat16" and exam.subject.guest.interprets:
            exam.add(f"dtype.{short}", "skip", NO_BFLOAT16)
            continue
        case = exam.case(61)
        for role in exam.task.roles:
            if role.kind == "float" and role.axes and case.get(role.name) is not None:
                case[role.name] = round_to(case[role.name], dtype)
        _ratio(exam, f"dtype.{short}", dtype, case, exam.subject.run(case, dtype=dtype))


def _ratio(exam: FunctionExam, id: str, dtype: str, case: Case, observed: Observed) -> None:
    if observed.outputs is None:
        f = observed.failure
        text = in_short(f) if f is not None else observed.problem
        if any(word in text for word in _UNSUPPORTED):
            exam.add(id, "skip", f"torch has no such operation in {dtype} on this device: {text}")
            return
        mixed = "expected m1 and m2 to have the same dtype" in text or "same dtype" in text or "scalar type" in text
        overflow = "mask-fill-overflows-half" if "without overflow" in text else None
        exam.add(id, "warn" if mixed else "fail", f"raises in {dtype}: {text}", overflow)
        return
    _preserved(exam, dtype, observed)
    want = exam.subject.truth(case)
    if exam.task.careful is not None:
        least = EPSILON[dtype] / 4
        sticks = tuple(max(distance(c, w), least) for c, w in zip(exam.task.careful(case, dtype), want, strict=True))
    else:
        sticks = yardsticks(exam.task, case, want, exam.subject.outputs, dtype, exam.rng(62))
    errors = [
        distance(g, w, o.scale(case)) for g, w, o in zip(observed.outputs, want, exam.subject.outputs, strict=True)
    ]
    ratio, error, stick = max((e / s, e, s) for e, s in zip(errors, sticks, strict=True))
    status: Any = "pass" if ratio <= FINE else "warn" if ratio <= NOTED else "fail"
    exam.add(
        id,
        status,
        f"error {error:.1e}, a careful computation {stick:.1e}",
        "low-precision-inside" if exam.task.narrow_dtype else None,
        measured=ratio,
        allowed=NOTED,
        unit="ratio",
    )


def _preserved(exam: FunctionExam, dtype: str, observed: Observed) -> None:
    narrow = [o for o in exam.subject.outputs if not o.rows]  # statistics may well be wider
    kept = [v for v in observed.raw[: len(narrow)] if isinstance(v, Tensor) and v.data.ndim]
    other = sorted({v.dtype for v in kept if v.dtype != dtype})
    id = "dtype.preserved" if dtype == "float32" else f"dtype.preserved-{'bf16' if dtype == 'bfloat16' else 'fp16'}"
    if other:
        promised = exam.task.narrow_dtype or promises_dtype(exam.prose)
        why = "the exercise asks for" if exam.task.narrow_dtype else "the file promises"
        text = f"{', '.join(other)} out for {dtype} in" + (f"; {why} the dtype of the inputs" if promised else "")
        exam.add(id, "fail" if promised else "warn", text, "dtype-not-preserved")
    elif kept and dtype == exam.task.dtype:
        exam.add(id, "pass")
