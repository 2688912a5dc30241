"""The record of grading a function: the subject, the checks so far, and what was seen on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from interview_coach.grading.codes import question
from interview_coach.grading.failures import in_short
from interview_coach.grading.functions.distance import allowed, distance
from interview_coach.grading.functions.sending import FORM_TEXT
from interview_coach.grading.functions.subject import FunctionSubject, Observed
from interview_coach.grading.functions.task import Case, Narrow, Outputs, Task
from interview_coach.grading.guest import Guest
from interview_coach.grading.numbers import first_wrong
from interview_coach.grading.protocol import INTERPRETED
from interview_coach.grading.report import Check, Contract, Group, Status
from interview_coach.grading.submission import Submission


@dataclass(slots=True)
class FunctionExam:
    """What the lanes read and add to.

    Attributes:
        dims: Sizes that the contract fixes, over those of the task.
        narrow: Sizes that had to be narrowed for it to run, and ``problem``, what it raised before.
        stub: Whether it was written to the stub, which then is what it promises.
        seen: Ordinary cases with the outputs they gave, for the diagnosis.
        codes: Codes that a check names by itself, with the check's id.
    """

    subject: FunctionSubject
    submission: Submission
    prose: str
    seed: int
    dims: Mapping[str, int]
    narrow: Narrow
    problem: str = ""
    stub: bool = False
    one_length: bool = False
    checks: list[Check] = field(default_factory=list)
    seen: list[tuple[Case, Outputs]] = field(default_factory=list)
    codes: dict[str, str] = field(default_factory=dict)
    reopen: Callable[[], Guest] | None = None
    """Loads the submission once more, in a fresh process."""

    @property
    def task(self) -> Task:
        """The exercise."""
        return self.subject.task

    @property
    def torch(self) -> bool:
        """Whether the submission works on torch tensors."""
        return bool(self.subject.binding.framework == "torch")

    @property
    def roles(self) -> frozenset[str]:
        """Roles that the submission takes."""
        return self.subject.binding.form.roles

    @property
    def defaults(self) -> frozenset[str]:
        """Roles that the submission takes and has a default for."""
        form = self.subject.binding.form
        return frozenset(a.role for a in (*form.arguments, *form.constructor) if a.default is not None)

    def rng(self, *keys: int) -> np.random.Generator:
        """Random numbers of one check, the same on every run with this seed."""
        return np.random.default_rng([self.seed, *keys])

    def case(self, *keys: int, dims: Mapping[str, int] | None = None, **values: Any) -> Case:
        """A random case with the sizes of the contract."""
        fixed = {a: 1 for a in self.subject.binding.layout.drop if a in self.task.dims}
        values = {**self.narrow.set, **values, **self.subject.binding.reading}
        return self.task.case(self.rng(*keys), {**self.dims, **(dims or {}), **fixed}, taken=self.roles, **values)

    def failed(self, *groups: str) -> bool:
        """Whether a check failed, of the given groups if any."""
        return any(c.status == "fail" and (not groups or c.group in groups) for c in self.checks)

    def fails(self, id: str) -> bool:
        """Whether the check of that name failed."""
        return any(c.status == "fail" and c.id == id for c in self.checks)

    def add(self, id: str, status: Status, detail: str = "", code: str | None = None, **values: Any) -> None:
        """Record a check; ``code`` names the bug that a failure of it means."""
        group: Group = id.split(".", maxsplit=1)[0]  # type: ignore[assignment]
        asked = (question(code) if code else None) or self.task.question
        self.checks.append(Check(id, group, status, detail=detail[:400], question=asked, **values))
        if code is not None and status == "fail":
            self.codes.setdefault(code, id)

    def compare(
        self,
        id: str,
        case: Case,
        observed: Observed,
        *,
        detail: str = "",
        code: str | None = None,
        see: bool = True,
        remark: bool = False,
    ) -> bool:
        """Compare with the float64 oracle. With ``remark``, a difference is a note and no failure."""
        bad: Status = "warn" if remark else "fail"
        if see and observed.arrays:
            self.seen.append((case, observed.arrays))
        if observed.outputs is None:
            failure = observed.failure
            text = observed.problem
            if failure is not None:
                where = f" (line {failure.line})" if failure.line else ""
                text = f"raised{where} {in_short(failure)}"
            crash = "crashes-on-shape" if failure is not None and see else None
            self.add(id, bad, f"{detail}: {text}".lstrip(": "), crash)
            return False
        want = self.subject.truth(case)
        limits = allowed(self.task, case, want, self.subject.outputs)
        ratios = []
        for got, w, o, limit in zip(observed.outputs, want, self.subject.outputs, limits, strict=True):
            ratios.append((distance(got, w, o.scale(case)) / limit, got, w, o, limit))
        ratio, got, w, output, limit = max(ratios, key=lambda r: r[0])
        error = ratio * limit
        text = detail
        if ratio > 1:
            name = f"{output.name}: " if len(self.subject.outputs) > 1 else ""
            text = "; ".join(t for t in (detail, name + first_wrong(got, w, limit)) if t)
        self.add(id, "pass" if ratio <= 1 else bad, text, code, measured=error, allowed=limit, unit="relative error")
        return bool(ratio <= 1)

    def contract(self) -> Contract:
        """How it is called, in the words of the report."""
        b = self.subject.binding
        names = ", ".join(a.name for a in b.form.arguments)
        call = (
            f"{b.info.name}({names})"
            if b.info.kind != "class"
            else f"{b.info.name}(…).{b.form.method or 'forward'}({names})"
        )
        notes = []
        for a in self.task.alternatives:
            if a.key in b.reading:
                note = dict(zip(map(str, a.values), a.notes, strict=False)).get(str(b.reading[a.key]), "")
                if note:
                    notes.append(note)
        notes += [c.note for c in self.task.conventions if b.reading.get(c.key)]
        forms = [f"{role} as {FORM_TEXT[form]}" for role, form in b.sent_as.items() if form in FORM_TEXT]
        returns = "output" if len(self.subject.outputs) == 1 else f"({', '.join(o.name for o in self.subject.outputs)})"
        parts = [call, str(b.framework), b.layout.text, *forms, *notes, f"returns {returns}"]
        if self.subject.guest.interprets:
            notes.append(INTERPRETED)
        return Contract(str(b.framework), b.layout.name, None, returns, True, " · ".join(parts), tuple(notes))
