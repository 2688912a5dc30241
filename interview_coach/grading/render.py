"""A report as text for a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal

from interview_coach.grading.chinese import said_in
from interview_coach.grading.drawing import drawn, power_of, short
from interview_coach.grading.report import GROUPS, Check, Diagnosis, Report
from interview_coach.page import display_width, pad, wrap
from interview_coach.records import record
from interview_coach.text import Language, Text

Detail = Literal["quiet", "normal", "verbose"]

GROUP_NAMES: dict[str, Text] = {
    "formula": Text("formula", "公式"),
    "shape": Text("shapes", "形状"),
    "mask": Text("masks", "掩码"),
    "gradient": Text("gradients", "梯度"),
    "stability": Text("stability", "稳定性"),
    "dtype": Text("half", "半精度"),
    "hygiene": Text("hygiene", "规范"),
    "efficiency": Text("cost", "开销"),
}
MARKS = {"pass": "✓", "fail": "✗", "warn": "●", "skip": "·", "error": "?"}
_COLORS = {"pass": 32, "fail": 31, "warn": 33, "skip": 2, "error": 35}
_SHADES = " ░▒▓█"
_LEAST_ROOM = 24
"""Columns that a text needs beside another; with fewer it goes below."""


@record
class Style:
    """How a report is written.

    Attributes:
        language: of every sentence; names, numbers, code and what Python said stay.
        width: columns, none of the lines is wider.
        color: use ANSI colours; the marks say the same without.
        detail: one line, the summary, or every check.
        cost: whether the growth of the cost is drawn as well.
    """

    language: Language = "en"
    width: int = 80
    color: bool = False
    detail: Detail = "normal"
    cost: bool = False


def to_text(report: Report, style: Style | None = None, source: str | None = None) -> str:
    """The report as the terminal shows it.

    Args:
        report: what to show.
        style: language, width, colour and detail.
        source: text of the submission, to quote the line that a diagnosis points at.
    """
    return "\n".join(_Writer(report, style or Style(), (source or "").splitlines()).lines())


class _Writer:
    """Writes one report; each method yields the lines of one part."""

    def __init__(self, report: Report, style: Style, source: Sequence[str]) -> None:
        self.report, self.style, self.source = report, style, source

    def lines(self) -> Iterator[str]:
        if self.style.detail == "quiet":
            yield self._fit(f"{self._mark(self.report.verdict)} {self.report.file}: {self._headline()}")
            return
        yield from self._contract()
        yield from self._verdict()
        if self.report.error is None:
            yield ""
            yield from self._checks() if self.style.detail == "verbose" else self._groups()
            yield from self._heatmap()
        yield from self._printed()
        yield from self._next()

    # --- parts ------------------------------------------------------------------------------------------------------

    def _contract(self) -> Iterator[str]:
        report = self.report
        parts = [report.file]
        if report.contract is not None:
            contract = report.contract
            summary = contract.summary or f"{report.callable} · {contract.framework} · {contract.layout}"
            parts += [said_in(self.style.language, summary)]
        elif report.callable:
            parts += [report.callable]
        if report.exercise:
            found = said_in(self.style.language, report.exercise_source)
            source = self._say(f" ({found})", f"（{found}）") if found else ""
            parts += [f"{self._say('exercise', '练习')} {report.exercise}{source}"]
        yield from self._wrapped(" · ".join(parts), " ")
        notes = report.contract.notes if report.contract is not None else ()
        for remark in notes:
            yield from self._wrapped(f"{MARKS['warn']} {said_in(self.style.language, remark)}", "   ")
        if report.others:
            yield from self._wrapped(
                self._say("also here: ", "文件中还有：") + ", ".join(report.others) + "  (--callable)", "   "
            )

    def _verdict(self) -> Iterator[str]:
        report = self.report
        first = report.diagnosis[0] if report.diagnosis else None
        headline, residual = self._headline(), self._residual(first)
        line = f"{MARKS[report.verdict]} {headline}{residual}"
        place = self._place(first)
        room = self.style.width - 1 - display_width(line) - display_width(place)
        if place and room >= 2:
            lines = [f" {line}{' ' * room}{place}"]
        else:
            lines = [*self._wrapped(line, " "), *([f"   {place}"] if place else [])]
        yield from (self._paint(text, report.verdict) for text in lines)
        yield from self._explanation(first)
        for other in report.diagnosis[1:]:
            tail = f"  {self._place(other)}" if self._place(other) else ""
            yield from self._wrapped(
                f"{self._say('also', '另外')}: {other.text(self.style.language)}{self._residual(other)}{tail}", "   "
            )
            yield from self._explanation(other)

    def _explanation(self, diagnosis: Diagnosis | None) -> Iterator[str]:
        """The line of the source, and where to read why."""
        if diagnosis is None:
            return
        quoted = self._quote(diagnosis.line)
        if quoted:
            yield self._fit(f"     {quoted}")
        if diagnosis.question:
            why = self._say("why it matters: ", "为什么重要：")
            yield from self._wrapped(f"{why}coach questions show {diagnosis.question}", "   ")

    def _groups(self) -> Iterator[str]:
        """What each group has to say: its first failure, or all its remarks; those that passed share lines."""
        fine: list[str] = []
        names = [self._name(group) for group in GROUPS]
        column = max(map(display_width, names)) + 2
        for group in GROUPS:
            checks = [check for check in self.report.checks if check.group == group and check.status != "skip"]
            worst = next((s for s in ("fail", "warn", "pass") if any(c.status == s for c in checks)), None)
            if worst is None:
                continue
            name = pad(self._name(group), column)
            if worst == "pass":
                fine.append(f"{name}{self._mark('pass')} {len(checks)}")
                continue
            bad = [check for check in checks if check.status == worst]
            count = self._say(f"{len(bad)} of {len(checks)}", f"{len(bad)}/{len(checks)}")
            head = f"   {name}{MARKS[worst]} {pad(count, 8)}"
            for index, check in enumerate(bad if worst == "warn" else bad[:1]):
                lead = head if index == 0 else " " * display_width(head)
                first, *rest = wrap(seen(check, self.style.language), self.style.width - display_width(head) - 2) or [
                    ""
                ]
                yield f"{self._paint(lead, worst)}  {first}".rstrip()
                yield from (" " * (display_width(head) + 2) + line for line in rest)
        yield from self._shared(fine)
        yield from self._costs()

    def _checks(self) -> Iterator[str]:
        """Every check, with what was measured and what was allowed."""
        for group in GROUPS:
            checks = [check for check in self.report.checks if check.group == group]
            if not checks:
                continue
            yield f"   {self._name(group)}"
            column = max(len(check.id) for check in checks) + 2
            for check in checks:
                lead = f"     {MARKS[check.status]} {check.id:<{column}}"
                margin = " " * (len(lead) if len(lead) + _LEAST_ROOM <= self.style.width else 7)
                texts = wrap(seen(check, self.style.language), self.style.width - len(margin))
                if check.question and check.status in ("fail", "warn"):
                    texts.append(f"coach questions show {check.question}")
                beside = texts.pop(0) if len(margin) == len(lead) and texts else ""
                yield (
                    f"{self._paint(lead, check.status)}{beside}" if beside else self._paint(lead.rstrip(), check.status)
                )
                yield from (self._fit(margin + line) for line in texts if line)
        yield from self._costs()

    def _costs(self) -> Iterator[str]:
        report, cost = self.report, self.report.cost
        if self.style.detail == "verbose" and report.references:
            yield from self._wrapped(compared(report, self.style.language), "   ")
        parts = growth(report, self.style.language)
        parts += [self._say("score", "得分") + f" {report.score}", self._say("seed", "种子") + f" {report.seed}"]
        parts += [f"{report.elapsed_s:.1f} s"]
        yield from self._in_rows(parts)
        if cost is not None and self.style.cost:
            yield from drawn(cost, self.style.language, self.style.width)

    def _heatmap(self) -> Iterator[str]:
        rows = self.report.heatmap
        if not rows:
            return
        peak = max((abs(cell) for row in rows for cell in row if math.isfinite(cell)), default=0.0) or 1.0
        yield ""
        yield from self._wrapped(
            self._say(
                "no known bug fits; the weights that your output implies (a row a query, a column a key):",
                "没有已知错误与之吻合；由输出反推的权重（行为 query，列为 key）：",
            ),
            "   ",
        )
        for row in rows:
            shades = "".join(_shade(cell / peak) * 2 for cell in row)
            yield f"     {shades}".rstrip()

    def _printed(self) -> Iterator[str]:
        printed = self.report.stdout.strip().splitlines()
        if not printed or (self.style.detail != "verbose" and self.report.error is None):
            return
        yield "   " + self._say("it printed:", "它打印了：")
        shown = printed if self.style.detail == "verbose" else printed[:5]
        yield from (self._fit(f"     {line}") for line in shown)
        if len(shown) < len(printed):
            yield f"     … {len(printed) - len(shown)}"

    def _next(self) -> Iterator[str]:
        report = self.report
        if report.error is not None:
            return
        question = next((d.question for d in report.diagnosis if d.question), None) or next(
            (c.question for c in report.checks if c.status == "fail" and c.question), None
        )
        if report.verdict == "fail" and report.exercise:
            command = f"coach hint {report.exercise}"
        elif question:
            command = f"coach questions show {question}"
        else:
            command = "coach exercises"
        yield self._say("next: ", "下一步：") + command

    # --- words ------------------------------------------------------------------------------------------------------

    def _headline(self) -> str:
        return " ".join(self.report.headline(self.style.language).split())

    def _residual(self, diagnosis: Diagnosis | None) -> str:
        """How well the named bug fits, where it was measured and the message does not say so itself."""
        if diagnosis is None or diagnosis.residual is None:
            return ""
        figure = f"{diagnosis.residual:.0e}"
        if figure in diagnosis.text(self.style.language):
            return ""
        return self._say(f", to {figure}", f"，误差 {figure}")

    def _place(self, diagnosis: Diagnosis | None) -> str:
        if diagnosis is None or diagnosis.line is None:
            return ""
        return self._say(f"line {diagnosis.line}", f"第 {diagnosis.line} 行")

    def _quote(self, line: int | None) -> str:
        return self.source[line - 1].strip() if line is not None and 0 < line <= len(self.source) else ""

    def _name(self, group: str) -> str:
        return GROUP_NAMES[group].get(self.style.language)

    def _say(self, en: str, zh: str) -> str:
        return zh if self.style.language == "zh" else en

    # --- layout -----------------------------------------------------------------------------------------------------

    def _shared(self, cells: Sequence[str]) -> Iterator[str]:
        """Short cells side by side, in columns."""
        if not cells:
            return
        column = max(_plain_width(cell) for cell in cells) + 4
        across = max(1, (self.style.width - 3) // column)
        for start in range(0, len(cells), across):
            row = cells[start : start + across]
            yield "   " + "".join(cell + " " * (column - _plain_width(cell)) for cell in row).rstrip()

    def _in_rows(self, parts: Sequence[str]) -> Iterator[str]:
        """Parts one after another, as many a line as have room."""
        rows: list[str] = []
        for part in parts:
            if rows and display_width(f"{rows[-1]}    {part}") <= self.style.width - 3:
                rows[-1] += f"    {part}"
            else:
                rows.append(part)
        for row in rows:
            yield from self._wrapped(row, "   ")

    def _wrapped(self, text: str, margin: str) -> Iterator[str]:
        for line in wrap(text, self.style.width - len(margin), "  "):
            yield margin + line

    def _fit(self, text: str) -> str:
        """Cuts what is too wide for one line."""
        if _plain_width(text) <= self.style.width:
            return text
        while _plain_width(text) > self.style.width - 1:
            text = text[:-1]
        return text + "…"

    def _mark(self, status: str) -> str:
        return self._paint(MARKS[status], status)

    def _paint(self, text: str, status: str) -> str:
        return f"\x1b[{_COLORS[status]}m{text}\x1b[0m" if self.style.color else text


def _shade(share: float) -> str:
    return _SHADES[min(4, int(5 * abs(share)))] if math.isfinite(share) else "?"


def _plain_width(text: str) -> int:
    """Columns of a text whose colours take none."""
    if "\x1b" not in text:
        return display_width(text)
    import re

    return display_width(re.sub(r"\x1b\[\d+m", "", text))


def compared(report: Report, language: Language) -> str:
    """What a submission was compared with, and how far each of that is from the oracle."""
    errors: dict[str, list[str]] = {}
    for one in report.references:
        errors.setdefault(one.name, []).append(f"{one.dtype} {one.error:.1e}")
    rounded = Text("the oracle with every step rounded", "每步都舍入的标准实现").get(language)
    names = {"rounded": rounded}
    found = "; ".join(f"{names.get(name, name)}: {', '.join(each)}" for name, each in errors.items())
    return Text(
        f"compared with the float64 oracle; errors relative to it: {found}",
        f"与 float64 标准实现比较；相对它的误差：{found}",
    ).get(language)


def growth(report: Report, language: Language) -> list[str]:
    """What a call takes and how that grows with the length, and the time next to that of the project's own solution."""
    cost = report.cost
    texts: list[Text] = []
    if cost is not None and cost.memory_exponent is not None:
        power, size = power_of(cost.memory_exponent), short(cost.peak_bytes, 1024, "B")
        at, zh_at = f"{size} at S = {cost.lengths[-1]}", f"S = {cost.lengths[-1]} 时 {size}"
        texts.append(Text(f"memory grows with {power} ({at})", f"内存随 {power} 增长（{zh_at}）"))
    if cost is not None and cost.flops_exponent is not None:
        power, count = power_of(cost.flops_exponent), short(cost.flops, 1000)
        texts.append(Text(f"FLOPs with {power} ({count})", f"FLOPs 随 {power} 增长（{count}）"))
    if cost is not None and cost.time_ratio is not None:
        ratio = f"{cost.time_ratio:.3g}"
        texts.append(Text(f"{ratio} × the reference's time", f"用时是参考实现的 {ratio} 倍"))
    return [text.get(language) for text in texts]


def seen(check: Check, language: Language) -> str:
    """What a check saw: its own words, and the figures where the words leave them out."""
    detail = said_in(language, check.detail)
    if check.measured is None:
        return detail
    measured, allowed = _figure(check.measured, check.unit), _figure(check.allowed, check.unit)
    if detail and measured in detail:
        return detail
    figures = (
        f"{measured}"
        if check.allowed is None
        else Text(f"{measured}, allowed {allowed}", f"{measured}，允许 {allowed}").get(language)
    )
    return Text(f"{detail} ({figures})", f"{detail}（{figures}）").get(language) if detail else figures


def _figure(value: float | None, unit: str | None) -> str:
    if value is None:
        return ""
    if not math.isfinite(value):
        return str(value)
    if unit == "ratio":
        return f"{value:.1f}×"
    if unit == "bytes":
        return _bytes(int(value))
    if unit == "exponent":
        return f"{value:.1f}"
    whole = abs(value) < 1e6 and value == round(value)
    text = f"{value:.0f}" if whole else f"{value:.1e}"
    return f"{text} {unit}" if unit and unit not in ("error", "relative error") else text


def _bytes(count: int) -> str:
    size = float(count)
    for unit in ("B", "KB", "MB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GB"
