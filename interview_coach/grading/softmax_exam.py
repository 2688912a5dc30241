"""Grading the softmax exercise: one array in, one array out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.arguments import call_forms
from interview_coach.grading.binding import Argument
from interview_coach.grading.codes import question
from interview_coach.grading.diagnosis import Seen
from interview_coach.grading.failures import in_short
from interview_coach.grading.family import SoftmaxInputs
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.numbers import EPSILON, first_wrong, real, relative_error, round_to
from interview_coach.grading.observation import describe
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.protocol import INTERPRETED, Call, CallableInfo, Outcome, Parameter, Ref, Tensor
from interview_coach.grading.report import Check, Contract, Group
from interview_coach.grading.roles import parameter_role
from interview_coach.grading.stated import stated_axes
from interview_coach.oracles.attention import softmax

SHAPES: tuple[tuple[int, ...], ...] = ((3, 4, 5, 7), (4, 5, 7), (5, 7), (7,))
FLOOR, SLACK = 1e-5, 20.0


@dataclass(slots=True)
class SoftmaxExam:
    """One softmax being graded; ``home`` is the axis it runs over when none is passed.

    What is asked of the last axis is asked of that one: arrays are turned on their way there and back.
    """

    guest: Guest
    info: CallableInfo
    framework: Any
    arguments: tuple[Argument, ...]
    seed: int
    method: str | None = None
    target: str | Ref = ""
    ndim: int = 4
    home: int = -1
    forbidden: frozenset[str] = frozenset()
    prose: str = ""
    checks: list[Check] = field(default_factory=list)
    codes: dict[str, str] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)

    def call(self, x: Array, dtype: str = "float32", axis: int | None = None, **options: Any) -> Outcome:
        """Call it on ``x``."""
        turned = self.home != -1 and axis is None
        data = np.moveaxis(x, -1, self.home) if turned else x
        data = data.astype(np.float16 if dtype == "float16" else np.float64 if dtype == "float64" else np.float32)
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
        if turned and sent is not None:
            sent = np.moveaxis(sent, -1, self.home)
        outcome = self.guest.call(
            Call(
                self.target or self.info.name, tuple(args), kwargs, method=self.method, framework=self.framework,
                cotangent=None if sent is None else Tensor(sent.astype(np.float32), "float32"),
                watch=options.get("watch", frozenset()),
            )
        )  # fmt: skip
        if not turned:
            return outcome
        gradients = tuple(None if g is None else self._back(g, x) for g in outcome.gradients)
        return replace(outcome, value=self._back(outcome.value, x), gradients=gradients)

    def _back(self, value: Any, x: Array) -> Any:
        """An array of the shape that was sent with its axes as in ``x``."""
        if not isinstance(value, Tensor) or value.data.shape != np.moveaxis(x, -1, self.home).shape:
            return value
        return replace(value, data=np.moveaxis(value.data, self.home, -1))

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

    def contract(self) -> Contract:
        """How it is called."""
        home = {-1: "last axis", 0: "first axis"}.get(self.home, "last axis but one")
        names, axis = ", ".join(a.name for a in self.arguments), "any axis" if self.has_axis else home
        summary = f"{self.info.name}({names}) · {self.framework} · {self.ndim}-D · {axis}"
        stated = f"softmax over the {home}, as the file says"
        notes = (*((stated,) if self.home != -1 else ()), *((INTERPRETED,) if self.guest.interprets else ()))
        return Contract(self.framework, "any", None, "output", True, summary, notes)

    def draw(self, key: int, shape: tuple[int, ...], spread: float = 1.5) -> Array:
        """Ordinary logits that float32 holds exactly."""
        return np.asarray(self.rng(key, *shape).normal(size=shape) * spread, np.float32).astype(np.float64)

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
        x = exam.draw(1, shape)
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
            exam.ndim = _meant_axes(exam, x, outcome.value)
            _settle_home(exam, x, outcome.value)
            return exam
    kind, text = next((r for r in reasons if r[0] == "output"), reasons[0])
    raise CannotGrade(kind, f"{exam.info.name}: {text}")


def _settle_home(exam: SoftmaxExam, x: Array, got: Tensor) -> None:
    """Take the axis that the file states where that, and not the last one, is what comes out right."""
    default = next((a.default for a in exam.arguments if a.role == "axis"), None)
    stated = stated_axes(exam.prose, default)
    if not stated or x.ndim < 2 or relative_error(got.data, softmax(x)) <= 1e-4:
        return
    exam.home = next((a for a in stated if relative_error(got.data, softmax(x, a)) <= 1e-4), -1)
    if exam.home == -1 and x.ndim > 2 and not exam.has_axis:
        matrix = exam.draw(1, SHAPES[2])
        value = exam.call(matrix).value
        if isinstance(value, Tensor) and relative_error(value.data, softmax(matrix, 0)) <= 1e-4:
            exam.home, exam.ndim = 0, 2


_MORE_AXES = r"[(\[（]\s*[\w*]+\s*[,，]\s*[\w*]+\s*[,，]|\blast\b|-1\b|heads?\b|any (shape|dim|number)|最后|任意"


VECTOR = r"vector|1-?d\b|one[- ]dim|一维|向量|[(（]\s*\w+\s*,\s*[)）]|list"
"""What a file says that is about one vector of logits."""


_ROWS = r"[(\[（]\s*\w+\s*[,，]\s*\w+|\brows?\b|batch|matri|行|批|矩阵"


def _meant_axes(exam: SoftmaxExam, x: Array, got: Tensor) -> int:
    """The number of axes: those that it runs on, or fewer where it is right on those alone, and speaks of no more."""
    if exam.has_axis or relative_error(got.data, softmax(x)) <= 1e-4:
        return x.ndim
    fewer = [2] if x.ndim > 2 else []
    if x.ndim > 1 and re.search(VECTOR, exam.prose, re.I) and not re.search(_ROWS, exam.prose, re.I):
        fewer.append(1)
    for ndim in () if re.search(_MORE_AXES, exam.prose, re.I) else fewer:
        small = exam.draw(1, SHAPES[4 - ndim])
        value = exam.call(small).value
        fits = isinstance(value, Tensor) and value.data.shape == small.shape
        if fits and relative_error(value.data, softmax(small)) <= 1e-4:
            return ndim
    return x.ndim
