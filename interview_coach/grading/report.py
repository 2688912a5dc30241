"""The result of grading one callable: version 1 of the report format."""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import Any, Literal

from interview_coach.grading.protocol import Failure
from interview_coach.records import record
from interview_coach.text import Language, Text

Verdict = Literal["pass", "fail", "error"]
Status = Literal["pass", "fail", "warn", "skip"]
Group = Literal["formula", "shape", "mask", "gradient", "stability", "dtype", "hygiene", "efficiency"]
ErrorKind = Literal["usage", "import", "contract", "crash", "timeout", "memory", "output"]

SCHEMA = 1
_KINDS: dict[ErrorKind, str] = {
    "usage": "用法",
    "import": "加载",
    "contract": "约定",
    "crash": "崩溃",
    "timeout": "超时",
    "memory": "内存",
    "output": "输出",
}
GROUPS: tuple[Group, ...] = ("formula", "shape", "mask", "gradient", "stability", "dtype", "hygiene", "efficiency")


@record
class Check:
    """One thing that was tried.

    ``measured`` and ``allowed`` are in ``unit``; ``detail`` is one line that says what was seen; ``question`` is the id
    of the bank's question that explains it.
    """

    id: str
    group: Group
    status: Status
    measured: float | None = None
    allowed: float | None = None
    unit: str | None = None
    detail: str = ""
    question: str | None = None


@record
class Diagnosis:
    """A named bug. ``residual`` is how far the output is from that of the named wrong variant, relative to its size."""

    code: str
    message: str
    line: int | None = None
    residual: float | None = None
    question: str | None = None

    def text(self, language: Language = "en") -> str:
        """The message in a language; what is not in the catalogue stays as it is."""
        from interview_coach.grading.codes import BUG_CLASSES, message

        if language == "en" or self.code not in BUG_CLASSES:
            return self.message
        fit = "" if self.residual is None else f"，相差 {max(self.residual, 1e-9):.0e}"
        return message(self.code, language) + fit


@record
class Contract:
    """How the submission is called, as it was inferred."""

    framework: str
    layout: str
    mask: str | None = None
    returns: str = "output"
    inferred: bool = True
    summary: str = ""
    notes: tuple[str, ...] = ()


def noted(contract: Contract, left_out: Failure | None) -> Contract:
    """A contract with a remark on the statement that the file was loaded without, if there is one."""
    if left_out is None:
        return contract
    note = f"line {left_out.line} is left out: the file {left_out.message}"
    return replace(contract, notes=(*contract.notes, note))


@record
class CostSummary:
    """What one call costs, counted: floating-point operations, bytes, growth of memory with the length.

    ``peaks`` and ``operations`` are the counts at ``lengths``, of which the last gives ``peak_bytes`` and ``flops``.
    """

    flops: int = 0
    peak_bytes: int = 0
    memory_exponent: float | None = None
    time_ratio: float | None = None
    flops_exponent: float | None = None
    lengths: tuple[int, ...] = ()
    peaks: tuple[int, ...] = ()
    operations: tuple[int, ...] = ()


@record
class Reference:
    """What outputs were compared with beside the float64 oracle; ``error`` is its relative distance from that.

    ``name`` is ``rounded`` for the oracle's own steps, each rounded to ``dtype``: rounding errors are measured by them;
    else it is that of the solution that ran, such as ``sdpa/stable.py``.
    """

    dtype: str
    error: float
    name: str = "rounded"
    device: str = "cpu"


@record
class GradeError:
    """Why nothing could be graded."""

    kind: ErrorKind
    message: str


@record
class Report:
    """What came of grading one callable; ``to_dict`` gives version 1 of the JSON format."""

    file: str
    exercise: str | None
    callable: str | None
    contract: Contract | None
    verdict: Verdict
    correct: bool | None
    stable: bool | None
    efficient: bool | None
    score: int
    seed: int
    checks: tuple[Check, ...] = ()
    diagnosis: tuple[Diagnosis, ...] = ()
    cost: CostSummary | None = None
    stdout: str = ""
    error: GradeError | None = None
    elapsed_s: float = 0.0
    exercise_source: str = ""
    """How the exercise was found: a flag, a comment, the names, or what the callable computes."""
    others: tuple[str, ...] = ()
    """Other callables of the file that could have been graded."""
    heatmap: tuple[tuple[float, ...], ...] = field(default=())
    """Implied weight matrix (queries x keys) of a wrong output that fits no named bug."""
    references: tuple[Reference, ...] = ()
    """What it was compared with beside the float64 oracle."""

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 2 could not be graded."""
        return {"pass": 0, "fail": 1, "error": 2}[self.verdict]

    def headline(self, language: Language = "en") -> str:
        """The verdict in a few words: both ``correct`` and ``stable`` are said, never a bare "fail"."""
        if self.error is not None:
            from interview_coach.grading.chinese import said_in

            return Text(
                f"cannot grade ({self.error.kind}): {self.error.message}",
                f"无法评分（{_KINDS[self.error.kind]}）：{said_in(language, self.error.message)}",
            ).get(language)
        return _headline(self).get(language)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON types."""
        return {
            "schema": SCHEMA,
            "file": self.file,
            "exercise": self.exercise,
            "callable": self.callable,
            "contract": None if self.contract is None else _contract(self.contract),
            "verdict": self.verdict,
            "correct": self.correct,
            "stable": self.stable,
            "efficient": self.efficient,
            "score": self.score,
            "seed": self.seed,
            "checks": [
                {
                    "id": c.id,
                    "group": c.group,
                    "status": c.status,
                    "measured": _finite(c.measured),
                    "allowed": _finite(c.allowed),
                    "unit": c.unit,
                    "detail": c.detail,
                    "question": c.question,
                }
                for c in self.checks
            ],
            "diagnosis": [
                {
                    "code": d.code,
                    "message": d.message,
                    "line": d.line,
                    "residual": _finite(d.residual),
                    "question": d.question,
                }
                for d in self.diagnosis
            ],
            "cost": _cost(self.cost or CostSummary()),
            "stdout": self.stdout,
            "error": None if self.error is None else {"kind": self.error.kind, "message": self.error.message},
            "elapsed_s": round(self.elapsed_s, 3),
            "references": [
                {"name": r.name, "device": r.device, "dtype": r.dtype, "error": _finite(r.error)}
                for r in self.references
            ],
        }

    def event(self) -> dict[str, Any]:
        """What the log keeps of it, with the headline in both languages: the log outlives the one on the screen."""
        return {
            "file": self.file,
            "exercise": self.exercise,
            "verdict": self.verdict,
            "headline": {"en": self.headline("en"), "zh": self.headline("zh")},
            "codes": [diagnosis.code for diagnosis in self.diagnosis],
            "score": self.score,
        }

    def _repr_html_(self) -> str:
        import html  # only a notebook shows a report so

        mark = {"pass": "✓", "fail": "✗", "warn": "●", "skip": "·"}
        rows = "".join(
            f"<tr><td>{mark[c.status]}</td><td>{html.escape(c.id)}</td><td>{html.escape(c.detail)}</td></tr>"
            for c in self.checks
        )
        return f"<p><b>{html.escape(self.file)}</b> {html.escape(self.headline())}</p><table>{rows}</table>"


def ungraded(path: str, exercise: str | None, name: str | None, seed: int, kind: Any, message: str) -> Report:
    """The report of what could not be graded."""
    return Report(
        file=path,
        exercise=exercise,
        callable=name,
        contract=None,
        verdict="error",
        correct=None,
        stable=None,
        efficient=None,
        score=0,
        seed=seed,
        error=GradeError(kind, message),
    )


def _finite(value: float | None) -> float | None:
    """JSON has no NaN and no infinity; the detail of the check says it in words."""
    return value if value is None or math.isfinite(value) else None


def _cost(cost: CostSummary) -> dict[str, Any]:
    return {
        "flops": cost.flops,
        "peak_bytes": cost.peak_bytes,
        "memory_exponent": _finite(cost.memory_exponent),
        "flops_exponent": _finite(cost.flops_exponent),
        "time_ratio": _finite(cost.time_ratio),
    }


def _contract(contract: Contract) -> dict[str, Any]:
    return {
        "framework": contract.framework,
        "layout": contract.layout,
        "mask": contract.mask,
        "returns": contract.returns,
        "inferred": contract.inferred,
        "summary": contract.summary,
        "notes": list(contract.notes),
    }


def _headline(report: Report) -> Text:
    first = report.diagnosis[0] if report.diagnosis else None
    tail = f": {first.text('en')}" if first else ""
    tail_zh = f"：{first.text('zh')}" if first else ""
    if not report.correct:
        return Text(f"wrong{tail}", f"错误{tail_zh}")
    if report.stable is False:
        half_only = all(
            c.group == "dtype" or "half" in c.id or "fp16" in c.id for c in report.checks if c.status == "fail"
        )
        where, where_zh = (" in fp16", "（fp16）") if half_only else ("", "")
        return Text(f"correct, not stable{where}{tail}", f"正确，但数值不稳定{where_zh}{tail_zh}")
    if report.efficient is False:
        return Text(f"correct and stable, not efficient{tail}", f"正确且稳定，但不够高效{tail_zh}")
    if report.verdict == "fail":
        return Text(f"the numbers are right, not accepted{tail}", f"数值正确，但不予通过{tail_zh}")
    return Text("correct and stable", "正确且稳定")
