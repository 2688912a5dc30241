"""Watching as a state machine: saves and keys go in, screens come out. No terminal, no files, no clock."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from interview_coach.exercises import exercises
from interview_coach.grading.chinese import said_in
from interview_coach.grading.first_hint import LEVELS, first_failing, first_hint
from interview_coach.grading.render import MARKS, Style, seen, to_text
from interview_coach.grading.report import Report
from interview_coach.page import display_width, wrap
from interview_coach.records import record
from interview_coach.text import Text

View = Literal["verdict", "hint", "diff", "solution"]

ESCAPE = "esc"
SPACE = "space"
INTERRUPT = "ctrl+c"
_WRONG_AT = re.compile(
    r"(?:(?P<tried>.*?); )?first at (?P<at>\[[^]]*\]): got (?P<got>[^,;]+), expected (?P<due>[^;]+)(?:; (?P<rest>.*))?"
)

_LABELS: dict[str, Text] = {
    "h": Text("hint", "提示"),
    "d": Text("diff", "差异"),
    "s": Text("solution", "参考解答"),
    SPACE: Text("more", "翻页"),
    ESCAPE: Text("verdict", "结论"),
    "l": Text("中文", "English"),
    "q": Text("quit", "退出"),
}
_STARTING = Text("starting the grader …", "正在启动评分程序 …")
_CONFIRM = Text(
    "not passed yet: s once more shows the solution, any other key does not",
    "尚未通过：再按一次 s 显示参考解答，按其他键取消",
)


@record
class Screen:
    """What is to be seen: the body, one calm remark or none, and the keys that work now."""

    body: tuple[str, ...]
    remark: str
    keys: str


class WatchSession:
    """One file under watch.

    Args:
        name: The file, as it is to be shown.
        grade: Grades the file as it is now.
        solution: The reference solution of an exercise, if there is one.
        style: Language, width, colour and detail of the report.
        height: Lines of the terminal; what does not fit is paged. ``None``: everything is shown.
        graded: Told each report.
    """

    def __init__(
        self,
        name: str,
        grade: Callable[[], Report],
        solution: Callable[[str], str | None],
        style: Style,
        height: int | None = None,
        graded: Callable[[Report], None] = lambda report: None,
    ) -> None:
        self._name, self._grade, self._solution, self._told = name, grade, solution, graded
        self.style = style
        self.finished = False
        self.report: Report | None = None
        self._text: str | None = None
        self._source = ""
        self._remark: Text | None = None
        self._view: View = "verdict"
        self._hints: list[int] = []
        self._confirming = False
        self._height = height
        self._top = 0

    # --- events -----------------------------------------------------------------------------------------------------

    def saved(self, text: str, *, again: bool = False) -> Screen:
        """The file holds ``text`` now: grade it, unless it is what it was (and not ``again``), or not finished."""
        self._confirming = False
        if text == self._text and not again:
            return self.screen()
        self._text = text
        unfinished = _unfinished(text)
        if unfinished is not None:
            self._remark = unfinished
            return self.screen()
        before, self.report = self.report, self._grade()
        if before is not None and before.exercise != self.report.exercise:
            self._hints = []
        self._source, self._remark = text, None
        self._look("verdict")
        self._told(self.report)
        return self.screen()

    def missing(self, reason: Text) -> Screen:
        """The file cannot be read now."""
        self._text, self._remark = None, reason
        return self.screen()

    def resized(self, width: int, height: int | None) -> Screen:
        """The terminal has another size."""
        self.style, self._height, self._top = replace(self.style, width=width), height, 0
        return self.screen()

    def pressed(self, key: str) -> Screen:
        """A key of :meth:`keys` does what the bottom line says; any other does nothing."""
        confirmed, self._confirming = self._confirming, False
        if key in self.keys() or key == INTERRUPT:
            match key:
                case "h":
                    self._next_hint()
                case "d":
                    self._look("diff")
                case "s":
                    self._show_solution(confirmed)
                case "l":
                    self.style = replace(self.style, language="en" if self.style.language == "zh" else "zh")
                case "space":
                    self._turn()
                case "esc":
                    self._look("verdict")
                case _:
                    self.finished = True
        return self.screen()

    # --- what is to be seen -----------------------------------------------------------------------------------------

    def keys(self) -> tuple[str, ...]:
        """The keys that do something now, in the order of the bottom line."""
        report = self.report
        known = report is not None and report.exercise in exercises()
        passed = report is not None and report.verdict == "pass"
        valid = {
            "h": known and not passed and self._upcoming() is not None,
            "d": report is not None and self._view != "diff" and _telling(report),
            "s": known and self._view != "solution",
            SPACE: self._room() < len(self._body()),
            ESCAPE: self._view != "verdict",
            "l": True,
            "q": True,
        }
        return tuple(key for key, works in valid.items() if works)

    def screen(self) -> Screen:
        """The screen as it is now."""
        if self._confirming:
            remark = self._say(_CONFIRM)
        else:
            remark = self._say(self._remark) if self._remark is not None else ""
        labels = [f"{key} {self._say(_LABELS[key])}" for key in self.keys()]
        lines = [(" " * gap).join(labels) for gap in (3, 2, 1)]
        keys = next((line for line in lines if display_width(line) < self.style.width), lines[-1])
        body = self._body()[self._top :]
        return Screen(tuple(body[: self._room()]), remark, f" {keys}")

    def _look(self, view: View) -> None:
        self._view, self._top = view, 0

    def _room(self) -> int:
        """Lines for the body: the remark and the keys take two."""
        return 10**6 if self._height is None else max(1, self._height - 2)

    def _turn(self) -> None:
        """To the next page, and from the last to the first."""
        self._top += self._room()
        if self._top >= len(self._body()):
            self._top = 0

    def _body(self) -> list[str]:
        report = self.report
        if report is None:
            return [f" {self._name}", f" {self._say(_STARTING)}"]
        match self._view:
            case "hint":
                return self._hint_lines(report)
            case "diff":
                return self._diff_lines(report)
            case "solution":
                return self._solution_lines(report)
        return _without_next(
            to_text(report, self.style, self._source).splitlines(), self._say(Text("next: ", "下一步："))
        )

    # --- hints ------------------------------------------------------------------------------------------------------

    def _upcoming(self) -> int | None:
        """The level of the next hint: from the one that speaks of the first failing check upwards."""
        if self.report is None:
            return None
        return next((n for n in range(first_hint(self.report), LEVELS + 1) if n not in self._hints), None)

    def _next_hint(self) -> None:
        level = self._upcoming()
        if level is not None:
            self._hints.append(level)
            self._look("hint")

    def _hint_lines(self, report: Report) -> list[str]:
        level = self._hints[-1]
        hints = exercises()[report.exercise or ""].hints
        check = first_failing(report)
        about = f" · {check.id}" if check is not None else ""
        head = self._say(Text(f"hint {level} of {LEVELS}", f"提示 {level}/{LEVELS}"))
        return [self._head(report), "", f" {head}{about}", *self._wrapped(self._say(hints[level - 1]))]

    # --- expected and got -------------------------------------------------------------------------------------------

    def _diff_lines(self, report: Report) -> list[str]:
        lines = [self._head(report)]
        failed = [check for check in report.checks if check.status == "fail"]
        failed = failed or [check for check in report.checks if check.status == "warn"]
        if report.error is not None:
            lines += ["", *self._wrapped(said_in(self.style.language, report.error.message))]
        groups: list[str] = []
        for check in failed:
            if check.group in groups:
                continue
            groups.append(check.group)
            lines += ["", f" {MARKS[check.status]} {check.id}"]
            found = _WRONG_AT.fullmatch(check.detail)
            if found is None:
                lines += self._wrapped(seen(check, self.style.language))
                continue
            if found["tried"]:
                lines += self._wrapped(said_in(self.style.language, found["tried"]))
            lines += [
                f"   {self._say(Text('at      ', '位置  '))}  {found['at']}",
                f"   {self._say(Text('expected', '应得  '))}  {found['due']:>12}",
                f"   {self._say(Text('got     ', '得到  '))}  {found['got']:>12}",
            ]
            measured = seen(replace(check, detail=""), self.style.language)
            error = self._say(Text(f"error {measured}", f"误差 {measured}"))
            rest = said_in(self.style.language, found["rest"] or "")
            lines += self._wrapped(f"{rest}   {error}" if rest else error)
        return lines

    # --- the reference solution -------------------------------------------------------------------------------------

    def _show_solution(self, confirmed: bool) -> None:
        assert self.report is not None
        if self.report.verdict == "pass" or confirmed:
            self._look("solution")
        else:
            self._confirming = True

    def _solution_lines(self, report: Report) -> list[str]:
        text = self._solution(report.exercise or "")
        if text is None:
            return [
                self._head(report),
                "",
                f" {self._say(Text('There is no reference solution yet.', '暂无参考解答。'))}",
            ]
        title = self._say(Text(f"reference solution: {report.exercise}", f"{report.exercise} 的参考解答"))
        folded = (piece for line in text.rstrip().splitlines() for piece in _folded(line, self.style.width - 1))
        return [f" {title}", "", *(f" {piece}".rstrip() for piece in folded)]

    # --- words ------------------------------------------------------------------------------------------------------

    def _head(self, report: Report) -> str:
        style = replace(self.style, detail="quiet")
        return f" {to_text(report, replace(style, width=style.width - 1))}"

    def _wrapped(self, text: str) -> list[str]:
        return [f"   {line}" for line in wrap(text, self.style.width - 4)]

    def _say(self, text: Text) -> str:
        return text.get(self.style.language)


def _telling(report: Report) -> bool:
    """Whether there is something that differs, or went wrong."""
    return report.error is not None or first_failing(report) is not None


def _unfinished(text: str) -> Text | None:
    """Why a file is not finished yet, or ``None``: it was saved half-written."""
    if not text.strip():
        return Text("The file is empty; waiting for the next save.", "文件是空的；等待下一次保存。")
    try:
        compile(text, "submission", "exec", dont_inherit=True)
    except SyntaxError as error:
        line, what = error.lineno or 1, error.msg
        return Text(f"line {line}: {what}; waiting for the next save", f"第 {line} 行：{what}；等待下一次保存")
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def _folded(line: str, width: int) -> list[str]:
    """A line of code in pieces that fit, the later ones under its text."""
    margin = " " * (len(line) - len(line.lstrip()) + 2)
    pieces = []
    while display_width(line) > width:
        cut = next(n for n in range(len(line), 0, -1) if display_width(line[:n]) <= width)
        space = line.rfind(" ", len(margin) + 1, cut + 1)
        cut = space if space > 0 else cut
        pieces.append(line[:cut])
        line = margin + line[cut:].lstrip()
    return [*pieces, line]


def _without_next(lines: list[str], start: str) -> list[str]:
    """The report without its last line, the next command: the keys say what is next."""
    return lines[:-1] if lines and lines[-1].startswith(start) else lines
