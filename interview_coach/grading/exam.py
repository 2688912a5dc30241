"""The record of one grading: the subject, the checks so far, and what was observed on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.exercises import Exercise
from interview_coach.grading.cases import Dims
from interview_coach.grading.codes import question
from interview_coach.grading.contract import Subject
from interview_coach.grading.diagnosis import Seen
from interview_coach.grading.failures import in_short
from interview_coach.grading.family import ATTENTION, AttentionInputs, Family
from interview_coach.grading.guest import Guest
from interview_coach.grading.hints import Hints
from interview_coach.grading.inference import Inference
from interview_coach.grading.numbers import first_wrong, relative_error
from interview_coach.grading.observation import Observation
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.reference import allowed_error, truth
from interview_coach.grading.report import Check, Group, Status
from interview_coach.grading.submission import Submission

_QUESTIONS: Mapping[Group, str] = {
    "formula": "attention-formula-shapes",
    "shape": "attention-formula-shapes",
    "mask": "masks-basics",
    "gradient": "softmax-backward",
    "stability": "why-subtract-max",
    "dtype": "fp16-overflow-bf16",
}
"""The question behind a group of checks, where a check names none itself."""


@dataclass(slots=True, eq=False, repr=False)
class Exam:
    """What the lanes read and add to.

    Attributes:
        seen: Observations on ordinary inputs, for the diagnosis.
        stressed: Observations on large or shifted logits.
        codes: Codes that a check names by itself, with the check's id.
        longest_s: Seconds that the call on the longest inputs took.
    """

    submission: Submission
    exercise: Exercise
    subject: Subject
    inference: Inference
    hints: Hints
    seed: int
    checks: list[Check] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    stressed: list[Seen] = field(default_factory=list)
    codes: dict[str, str] = field(default_factory=dict)
    library: tuple[str, ...] = ()
    slow: bool = False
    longest_s: float = 0.0
    row_by_row: bool = False
    """Whether a kernel has a program of its own for each row of queries."""
    family: Family[AttentionInputs] = ATTENTION
    """The computations that the diagnosis chooses from."""
    crashed_on: list[AttentionInputs] = field(default_factory=list)
    """Cases on which a call brought no array."""
    reopen: Callable[[tuple[str, ...]], Guest] | None = None
    """Loads the submission once more, in a fresh process without the given parts of the library."""
    kernel_error: Callable[[AttentionInputs, str], float | None] | None = None
    """On a GPU: how far the project's own kernel is from the oracle on a case, in a precision."""

    @property
    def dims(self) -> Dims:
        """The most general shapes that the submission runs on."""
        return self.inference.dims

    @property
    def torch(self) -> bool:
        """Whether the submission works on torch tensors."""
        return bool(self.subject.binding.framework == "torch")

    def rng(self, *keys: int) -> np.random.Generator:
        """Random numbers of one check, the same on every run with this seed."""
        return np.random.default_rng([self.seed, *keys])

    def failed(self, *groups: str) -> bool:
        """Whether a check failed, of the given groups if any."""
        return any(c.status == "fail" and (not groups or c.group in groups) for c in self.checks)

    def add(self, id: str, status: Status, detail: str = "", code: str | None = None, **values: Any) -> Check:
        """Record a check; ``code`` names the bug that a failure of it means."""
        group: Group = id.split(".", maxsplit=1)[0]  # type: ignore[assignment]
        about = values.pop("question", None) or (question(code) if code else None) or _QUESTIONS.get(group)
        check = Check(id, group, status, detail=detail, question=about, **values)
        self.checks.append(check)
        if code is not None and status == "fail":
            self.codes.setdefault(code, id)
        return check

    def compare(
        self,
        id: str,
        case: AttentionInputs,
        observed: Observation,
        *,
        ordinary: bool = True,
        code: str | None = None,
        expected: Array | None = None,
        rows: Array | None = None,
        detail: str = "",
    ) -> bool:
        """Compare an output with the float64 oracle, and record the check.

        Args:
            id: The check.
            case: Canonical inputs.
            observed: What came back.
            ordinary: Whether a fault here is one of ordinary logits.
            code: What a failure means, if the check itself tells.
            expected: The oracle's output, computed if not given.
            rows: Boolean, broadcastable to the output: entries to compare.
            detail: What was tried, for the report.
        """
        # The submission computes while this does.
        want = truth(case) if expected is None else expected
        if rows is not None:
            want = np.where(rows, want, 0.0)
        got = observed.output
        if got is None:
            self.crashed_on.append(case)
            self.crashed(id, observed, detail)
            return False
        if rows is not None:
            got = np.where(rows, got, 0.0)
        error = relative_error(got, want)
        allowed = allowed_error(case, want, error)
        ok = error <= allowed
        text = detail if ok else "; ".join(t for t in (detail, first_wrong(got, want, allowed)) if t)
        self.add(id, "pass" if ok else "fail", text, code, measured=error, allowed=allowed, unit="relative error")
        if rows is None:
            (self.seen if ordinary else self.stressed).append(Seen(case, got))
        return ok

    def crashed(self, id: str, observed: Observation, detail: str) -> None:
        """Record a call that brought no array, on inputs that the contract allows."""
        failure = observed.failure
        if failure is None:
            self.add(
                id,
                "fail",
                f"{detail}: {observed.problem}".lstrip(": "),
                "crashes-on-shape" if id.startswith("shape") else None,
            )
            return
        if failure.reason in ("interpreter-lacks", "triton-removed"):
            raise CannotGrade(failure.kind, failure.message, final=True)
        where = f" (line {failure.line})" if failure.line else ""
        text = in_short(failure)
        self.add(id, "fail", f"{detail}: raised{where} {text}"[:400].lstrip(": "), "crashes-on-shape")
