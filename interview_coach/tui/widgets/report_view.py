"""A report of the grader as lines that can be walked through: what is wrong, where, and the question behind it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from interview_coach.text import Language
from interview_coach.tui.phrases import fit
from interview_coach.tui.strings import say

if TYPE_CHECKING:
    from interview_coach.grading.report import Check, Report

MARKS = {"pass": "✓", "fail": "✗", "warn": "●", "skip": "·"}
_COLOURS = {"pass": "$text-success", "fail": "$text-error", "warn": "$text-warning", "skip": "dim"}
_PRINTED = 12


class ReportView(OptionList):
    """The checks by group, failures first in each; ``enter`` opens the question behind a line."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._questions: list[str | None] = []

    @property
    def question(self) -> str | None:
        """Id of the question behind the highlighted line."""
        index = self.highlighted
        return self._questions[index] if index is not None and index < len(self._questions) else None

    def show(self, report: Report, language: Language, headline: str = "", source: str = "") -> None:
        """Show a report; lines of ``source`` are quoted, and what ``headline`` says already is not said twice."""
        lines = list(_lines(report, language, headline, source.splitlines()))
        kept = self.highlighted
        self._questions = [question for _, question in lines]
        self.set_options([Option(content) for content, _ in lines])
        first = next((index for index, question in enumerate(self._questions) if question), 0)
        self.highlighted = (kept if kept is not None and kept < len(lines) else first) if lines else None


Line = tuple[Content, str | None]


def _lines(report: Report, language: Language, headline: str, source: Sequence[str]) -> Iterator[Line]:
    for diagnosis in report.diagnosis:
        named = diagnosis.text(language)
        parts = [] if named in headline else [Content(named)]
        if diagnosis.line:
            parts.append(Content(say("grade.line", language, line=diagnosis.line)))
        if diagnosis.question:
            parts.append(Content(say("grade.why", language, question=diagnosis.question)).stylize("$text-accent"))
        quoted = source[diagnosis.line - 1].strip() if diagnosis.line and diagnosis.line <= len(source) else ""
        if parts:
            line = Content("✗ ").stylize("$text-error") + Content("   ").join(parts)
            yield line + Content(f"\n    {quoted}" if quoted else ""), diagnosis.question
    from interview_coach.grading.report import GROUPS

    found = {group: [check for check in report.checks if check.group == group] for group in GROUPS}
    groups = {group: checks for group, checks in found.items() if checks}
    names = {group: say(f"group.{group}", language) for group in groups}
    width = max((cell_len(name) for name in names.values()), default=0)
    for group, checks in groups.items():
        telling = next((check for status in ("fail", "warn") for check in checks if check.status == status), None)
        question = telling.question if telling is not None else None
        yield _summary(fit(names[group], width), checks, telling, language), question
    yield from _tail(report, language)


def _summary(name: str, checks: list[Check], telling: Check | None, language: Language) -> Content:
    """A group on a line: its name, its mark, how many, and the first thing that is wrong; or why it was left out."""
    tried = [check for check in checks if check.status != "skip"]
    if not tried:
        return Content(f"{name}  {MARKS['skip']} {_words(checks[0], language)}").stylize(_COLOURS["skip"])
    bad = sum(check.status == "fail" for check in tried)
    status = next(status for status in ("fail", "warn", "pass") if any(c.status == status for c in tried))
    count = say("group.of", language, bad=bad, all=len(tried)) if bad else str(len(tried))
    mark = Content(MARKS[status]).stylize(_COLOURS[status])
    words = f"   {_words(telling, language)}" if telling is not None else ""
    return Content(f"{name}  ") + mark + Content(f" {count}{words}")


def _words(check: Check, language: Language) -> str:
    measured = ""
    if check.measured is not None and check.allowed is not None:
        values = {"measured": _number(check.measured, check.unit), "allowed": _number(check.allowed, check.unit)}
        measured = say("grade.max", language, **values)
    from interview_coach.grading.chinese import said_in

    return " · ".join(part for part in (measured, said_in(language, check.detail)) if part) or check.id


def _number(value: float, unit: str | None) -> str:
    if not math.isfinite(value):
        return str(value)
    return (
        f"{value:.2g}×"
        if unit == "ratio"
        else f"{value:.1e}"
        if abs(value) < 0.01 or abs(value) >= 1e4
        else f"{value:.2g}"
    )


def _tail(report: Report, language: Language) -> Iterator[Line]:
    facts = []
    if report.cost is not None and report.cost.memory_exponent is not None:
        facts.append(say("grade.memory", language, exponent=f"{report.cost.memory_exponent:.2g}"))
    if report.error is None:
        facts.append(say("grade.seed", language, seed=report.seed, seconds=f"{report.elapsed_s:.1f}"))
    if facts:
        yield Content("   ".join(facts)).stylize("dim"), None
    printed = report.stdout.strip().splitlines()
    if printed:
        shown = [*printed[:_PRINTED], *(["…"] if len(printed) > _PRINTED else [])]
        yield Content("\n".join([say("grade.stdout", language), *(f"  {line}" for line in shown)])), None
