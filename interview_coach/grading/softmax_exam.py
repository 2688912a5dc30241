"""Grading the softmax exercise: one array in, one array out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.arguments import call_forms
from interview_coach.grading.codes import question
from interview_coach.grading.contract import Argument
from interview_coach.grading.diagnosis import FIT, Seen, explain
from interview_coach.grading.failures import in_short, stems_from_work_in_place
from interview_coach.grading.family import SOFTMAX, SoftmaxInputs
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.lanes.hygiene import ATTENTION_CALLS
from interview_coach.grading.numbers import EPSILON, first_wrong, real, relative_error, round_to
from interview_coach.grading.observation import describe
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import NO_BFLOAT16, Call, CallableInfo, Outcome, Parameter, Ref, Tensor
from interview_coach.grading.report import Check, Group
from interview_coach.grading.roles import parameter_role
from interview_coach.oracles.attention import softmax

SHAPES: tuple[tuple[int, ...], ...] = ((3, 4, 5, 7), (4, 5, 7), (5, 7), (7,))
FLOOR, SLACK = 1e-5, 20.0


@dataclass(slots=True)
class SoftmaxExam:
    """One softmax being graded; ``axis`` is the one it runs over when none can be passed."""

    guest: Guest
    info: CallableInfo
    framework: Any
    arguments: tuple[Argument, ...]
    seed: int
    method: str | None = None
    target: str | Ref = ""
    ndim: int = 4
    forbidden: frozenset[str] = frozenset()
    prose: str = ""
    checks: list[Check] = field(default_factory=list)
    codes: dict[str, str] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)

    def call(self, x: Array, dtype: str = "float32", axis: int | None = None, **options: Any) -> Outcome:
        """Call it on ``x``."""
        data = x.astype(np.float16 if dtype == "float16" else np.float64 if dtype == "float64" else np.float32)
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        positional = True
        for a in self.arguments:
            value: Any
            if a.role == "x":
                value = Tensor(
                    data, dtype, requires_grad="cotangent" in options, memory=options.get("memory", "contiguous")
                )
            elif a.role == "axis" and (axis is not None or a.default is None):
                value = -1 if axis is None else axis
            else:
                positional = False
                continue
            if positional and a.kind != "keyword_only":
                args.append(value)
            else:
                kwargs[a.name] = value
        sent = options.get("cotangent")
        return self.guest.call(
            Call(
                self.target or self.info.name, tuple(args), kwargs, method=self.method, framework=self.framework,
                cotangent=None if sent is None else Tensor(sent.astype(np.float32), "float32"),
                watch=options.get("watch", frozenset()),
            )
        )  # fmt: skip

    @property
    def has_axis(self) -> bool:
        """Whether the axis can be passed."""
        return any(a.role == "axis" for a in self.arguments)

    def failed(self, *groups: str) -> bool:
        """Whether a check of the given groups failed."""
        return any(c.status == "fail" and c.group in groups for c in self.checks)

    def rng(self, *keys: int) -> np.random.Generator:
        """Random numbers of one check."""
        return np.random.default_rng([self.seed, *keys])

    def add(self, id: str, status: Any, detail: str = "", code: str | None = None, **values: Any) -> None:
        """Record a check."""
        group: Group = id.split(".", maxsplit=1)[0]  # type: ignore[assignment]
        self.checks.append(
            Check(id, group, status, detail=detail, question=question(code) if code else "why-subtract-max", **values)
        )
        if code and status == "fail":
            self.codes.setdefault(code, id)

    def compare(
        self,
        id: str,
        x: Array,
        outcome: Outcome,
        axis: int = -1,
        detail: str = "",
        code: str | None = None,
        see: bool = True,
    ) -> bool:
        """Compare with the float64 oracle."""
        if not isinstance(outcome.value, Tensor):
            f = outcome.failure
            text = f"raised (line {f.line}) {in_short(f)}" if f else f"returned {describe(outcome.value)}"
            self.add(id, "fail", f"{detail}: {text}"[:300].lstrip(": "), "crashes-on-shape" if f else None)
            return False
        got = real(outcome.value.data)
        want = softmax(x, axis)
        if got.shape != want.shape:
            self.add(id, "fail", f"shape {got.shape}, expected {want.shape}")
            return False
        # Weights add up to one, so the size they are relative to is 1.
        with np.errstate(invalid="ignore"):
            error = float(np.max(np.abs(got - want), initial=0.0)) if np.isfinite(got).all() else float("inf")
        careful = round_to(softmax(round_to(x, "float32").astype(np.float32), axis), "float32")
        allowed = max(
            FLOOR,
            SLACK * relative_error(careful, want),
            4 * EPSILON["float32"] * float(np.abs(x[np.isfinite(x)]).max(initial=0)),
        )
        ok = error <= allowed
        self.add(
            id, "pass" if ok else "fail",
            detail if ok else f"{detail}: {first_wrong(got, want, allowed)}".lstrip(": "), code,
            measured=error, allowed=allowed, unit="error",
        )  # fmt: skip
        if see:
            self.seen.append(Seen(SoftmaxInputs(x, axis), got))
        return ok


def open_softmax(
    guest: Guest, info: CallableInfo, frameworks: Sequence[str], hints: Hints, seed: int, forbidden: frozenset[str]
) -> SoftmaxExam:
    """Find out how a softmax is called.

    Raises:
        CannotGrade: When it does not run on any array, or returns none.
    """
    problems: list[CannotGrade] = []
    for method, parameters in call_forms(info):
        try:
            arguments = softmax_arguments(parameters)
        except CannotGrade as problem:
            problems.append(problem)
            continue
        if not any(a.role == "x" for a in arguments):
            problems.append(
                CannotGrade(
                    "contract",
                    f"looked for softmax(x, dim), found {info.name}({', '.join(a.name for a in arguments)})",
                )
            )
            continue
        for framework in frameworks:
            try:
                return _try(
                    SoftmaxExam(guest, info, framework, arguments, seed, method, forbidden=forbidden, prose=hints.prose)
                )
            except CannotGrade as problem:
                problems.append(problem)
                if problem.kind in ("timeout", "memory"):
                    raise
    raise problems[0] if problems else CannotGrade("contract", f"{info.name}: nothing to call")


def softmax_arguments(parameters: Sequence[Parameter]) -> tuple[Argument, ...]:
    """Roles of the parameters: the first is the input, whatever its name; of the others only the axis matters."""
    usable = [p for p in parameters if p.kind not in ("var_positional", "var_keyword")]
    if not usable:
        return ()
    roles = ["x", *(parameter_role(p.name) or "" for p in usable[1:])]
    unknown = [p.name for p, role in zip(usable, roles, strict=True) if role not in ("x", "axis") and p.default is None]
    if unknown:
        raise CannotGrade("contract", f"looked for softmax(x, dim), found a required {', '.join(map(repr, unknown))}")
    found = (Argument(p.name, role, p.kind, p.default) for p, role in zip(usable, roles, strict=True))
    return tuple(found)


def _try(exam: SoftmaxExam) -> SoftmaxExam:
    if exam.info.kind == "class":
        kwargs = {p.name: -1 for p in exam.info.parameters if p.default is None and parameter_role(p.name) == "axis"}
        made = exam.guest.call(Call(exam.info.name, kwargs=kwargs, framework=exam.framework))
        if made.ref is None or made.failure is not None:
            raise CannotGrade(
                "crash", f"{exam.info.name}: {made.failure.message if made.failure else 'could not be made'}"
            )
        exam.target = made.ref
    reasons: list[tuple[str, str]] = []
    for shape in SHAPES:
        x = _draw(exam, 1, shape)
        outcome = exam.call(x)
        if outcome.failure is not None:
            if outcome.failure.kind in ("timeout", "memory") or outcome.failure.exception == "died":
                raise CannotGrade(outcome.failure.kind, outcome.failure.message)
            reasons.append(("crash", f"line {outcome.failure.line}: {in_short(outcome.failure)}"))
        elif not isinstance(outcome.value, Tensor):
            reasons.append(("output", f"returned {describe(outcome.value)}, expected an array"))
        elif outcome.value.data.shape != shape:
            reasons.append(("contract", f"shape {outcome.value.data.shape} for {shape}"))
        else:
            exam.ndim = 2 if _means_rows(exam, x, outcome.value) else len(shape)
            return exam
    kind, text = next((r for r in reasons if r[0] == "output"), reasons[0])
    raise CannotGrade(kind, f"{exam.info.name}: {text}")


_MORE_AXES = r"[(\[（]\s*[\w*]+\s*[,，]\s*[\w*]+\s*[,，]|\blast\b|-1\b|heads?\b|any (shape|dim|number)|最后|任意"


def _means_rows(exam: SoftmaxExam, x: Array, got: Tensor) -> bool:
    """Whether it is right for the rows of a matrix only, and neither takes an axis nor speaks of more than rows."""
    if exam.has_axis or x.ndim < 3 or relative_error(got.data, softmax(x)) <= 1e-4:
        return False
    rows = _draw(exam, 1, SHAPES[2])
    value = exam.call(rows).value
    right = isinstance(value, Tensor) and value.data.shape == rows.shape
    return right and relative_error(value.data, softmax(rows)) <= 1e-4 and not re.search(_MORE_AXES, exam.prose, re.I)


def _draw(exam: SoftmaxExam, key: int, shape: tuple[int, ...], spread: float = 1.5) -> Array:
    return np.asarray(exam.rng(key, *shape).normal(size=shape) * spread, np.float32).astype(np.float64)


def _shape(exam: SoftmaxExam) -> tuple[int, ...]:
    return SHAPES[4 - exam.ndim]


def run_softmax(exam: SoftmaxExam) -> None:
    """All checks of the exercise."""
    shape = _shape(exam)
    for key in (2, 3):
        x = _draw(exam, key, shape)
        exam.compare(f"formula.draw-{key - 1}", x, exam.call(x))
    if exam.has_axis and exam.ndim > 1:
        for axis in (0, 1, -2):
            x = _draw(exam, 4 + axis, shape)
            exam.compare(f"formula.axis{axis}", x, exam.call(x, axis=axis), axis, f"dim = {axis}")
    elif exam.ndim > 1:
        _constructor_axis(exam, shape)
    if exam.ndim == 1 and not re.search(r"vector|1-?d\b|one[- ]dim|一维|向量|\(n,?\)|list", exam.prose, re.IGNORECASE):
        exam.add(
            "shape.rows",
            "fail",
            "runs on a single vector only; a matrix of rows raises or comes back in another shape",
            "crashes-on-shape",
        )
    lengths = (1, 2, 17, 64, 129)
    for length in lengths:
        x = _draw(exam, 10, (*shape[:-1], length))
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
    x = _draw(exam, 8, shape)
    exam.compare("formula.axis1", x, exam.call(x), 1, f"made with {name}=1")
    exam.target = usual


def _hygiene(exam: SoftmaxExam, shape: tuple[int, ...]) -> None:
    x = _draw(exam, 20, shape)
    first = exam.call(x, watch=frozenset({"library"}))
    second, other, third = exam.call(x), exam.call(_draw(exam, 21, shape)), exam.call(x)
    exam.add(
        "hygiene.inputs-unchanged",
        "fail" if first.mutated else "pass",
        "x is changed in place" if first.mutated else "",
        "mutates-inputs",
    )
    used = [c for c in first.library if c in exam.forbidden or ATTENTION_CALLS.search(c)]
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
    x, g = _draw(exam, 30, shape), _draw(exam, 31, shape)
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
    base = _draw(exam, 40, shape)
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
                "pass" if ok else "warn",
                "" if ok else "a row of only -inf does not give 0 (house convention)",
            )


def _half(exam: SoftmaxExam, shape: tuple[int, ...]) -> None:
    for dtype, short in (("float16", "fp16"), ("bfloat16", "bf16")):
        if dtype == "bfloat16" and exam.guest.interprets:
            exam.add(f"dtype.{short}", "skip", NO_BFLOAT16)
            continue
        for id, offset in ((f"dtype.{short}", 0.0), (f"dtype.{short}-shifted", 50.0)):
            x = round_to(_draw(exam, 50, shape) + offset, dtype)
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
            status = "pass" if ratio <= 2 else "warn" if ratio <= 5 else "fail"
            exam.add(
                id,
                status,
                "",
                "no-max-subtraction" if status == "fail" and not np.isfinite(ratio) else None,
                measured=ratio,
                allowed=5.0,
                unit="ratio",
            )


def explain_softmax(exam: SoftmaxExam) -> list[tuple[str, float]]:
    """Codes that reproduce every ordinary observation."""
    found = explain(SOFTMAX, [s for s in exam.seen[:5] if s.output.shape == s.case.x.shape], pairs=False)
    return [(code, one.residual) for one in found if one.residual <= FIT for code in SOFTMAX.codes(one.choice)]
