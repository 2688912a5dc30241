"""A question to be read, with all that belongs to it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from interview_coach.tui.bindings import bind
from interview_coach.tui.screens.base import CoachScreen
from interview_coach.tui.widgets.sheet import Sheet


class QuestionScreen(CoachScreen):
    """Opened from the list, or from a line of a report.

    Args:
        question: Its id; it must be in the bank.
    """

    CSS_PATH = "../styles/sheet.tcss"
    HELP = "help.question"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("question.drill", "space,enter", "drill_it"),
        bind("result.answer", "m", "section('sheet.answer')"),
        bind("result.follow-ups", "n", "section('sheet.follow-ups')"),
        bind("result.sources", "o", "section('sheet.references')", show=False),
        bind("scroll.up", "up,k", "scroll(-1)", show=False),
        bind("scroll.down", "down,j", "scroll(1)", show=False),
        bind("scroll.page-up", "pageup", "page(-0.9)", show=False),
        bind("scroll.page-down", "pagedown", "page(0.9)", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__(name="question")
        self._question = question

    def compose_body(self) -> ComposeResult:
        yield Sheet(self.services.bank.questions[self._question], self.language, whole=True)

    def update_texts(self) -> None:
        question = self.services.bank.questions[self._question]
        about = [self.say("question.title"), question.topic, self.say("app.level", level=question.level)]
        self.head(" · ".join(about), self._question)
        self.query_one(Sheet).turn(self.language)

    def action_drill_it(self) -> None:
        """Answer this question against the clock."""
        self.coach.open("drill", first=self._question)

    def action_section(self, section: str) -> None:
        """Jump to a part of the page."""
        self.query_one(Sheet).go_to(section)

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines."""
        self.query_one(Sheet).scroll_lines(lines)

    def action_page(self, pages: float) -> None:
        """Scroll by pages."""
        self.query_one(Sheet).scroll_page(pages)
