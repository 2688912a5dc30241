"""All that belongs to a question, on one page; on a wide screen in two columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from interview_coach.exercises import practising
from interview_coach.text import Language, Text
from interview_coach.tui.markdown import BLANK, Block, Table, inline, parse
from interview_coach.tui.strings import say
from interview_coach.tui.widgets.key_points import KeyPoints, point_block
from interview_coach.tui.widgets.page import Page
from interview_coach.tui.widgets.prose import prose

if TYPE_CHECKING:
    from interview_coach.bank.model import Question

Blocks = Iterator[Block | Table]


class Sheet(VerticalScroll, can_focus=False):
    """A question with its answer, key points, pitfalls, follow-ups and sources.

    Args:
        question: What to show.
        language: Of the texts.
        whole: Also what the interviewer looks for, and how to tie it to one's own work.
    """

    def __init__(self, question: Question, language: Language, *, whole: bool = False) -> None:
        super().__init__()
        self.question, self.language = question, language
        self._whole = whole

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="column", can_focus=False):
            yield Page(list(self._before_points()), id="before")
            yield from self._points()
            yield Page(list(self._after_points()), id="after")
        with VerticalScroll(classes="column", can_focus=False):
            yield Page(list(self._second_column()), id="second")

    def turn(self, language: Language) -> None:
        """Show the same in another language."""
        if language != self.language:
            self.language = language
            self.redraw()

    def redraw(self) -> None:
        """Write every part anew."""
        self.query_one("#before", Page).show(list(self._before_points()))
        self.query_one("#after", Page).show(list(self._after_points()))
        self.query_one("#second", Page).show(list(self._second_column()))
        for points in self.query(KeyPoints):
            points.turn(self.language)

    # --- what stands on it ---

    def _say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

    def _tr(self, text: Text) -> str:
        return text.get(self.language)

    def _heading(self, key: str) -> Blocks:
        yield BLANK
        yield Block(Content(self._say(key)).stylize("bold $text-primary"), anchor=key)

    def _before_points(self) -> Blocks:
        question = self.question
        yield BLANK
        yield Block(prose(self._tr(question.prompt)).stylize("bold"))
        if self._whole:
            yield from self._heading("sheet.intent")
            yield Block(prose(self._tr(question.intent)))
        if question.key_points:
            yield from self._heading("sheet.key-points")

    def _points(self) -> ComposeResult:
        """The widget of the key points, where they are more than text."""
        yield from ()

    def _after_points(self) -> Blocks:
        for point in self.question.key_points:
            yield point_block(point, self.language)
        yield from self._elevator()

    def _elevator(self) -> Blocks:
        yield from self._heading("sheet.elevator")
        yield Block(prose(self._tr(self.question.elevator)))

    def _second_column(self) -> Blocks:
        question = self.question
        yield from self._heading("sheet.answer")
        yield from parse(self._tr(question.answer))
        if question.pitfalls:
            yield from self._heading("sheet.pitfalls")
            for number, pitfall in enumerate(question.pitfalls):
                if number:
                    yield BLANK
                yield Block(prose(self._tr(pitfall.wrong)), first=Content("✗ ").stylize("$text-error"))
                yield Block(prose(self._tr(pitfall.right)), first=Content("✓ ").stylize("$text-success"))
        if question.follow_ups:
            yield from self._heading("sheet.follow-ups")
            for number, follow_up in enumerate(question.follow_ups):
                if number:
                    yield BLANK
                yield Block(prose(self._tr(follow_up.question)).stylize("bold"))
                yield from parse(self._tr(follow_up.answer))
        if self._whole:
            yield from self._heading("sheet.experience")
            for number, name in enumerate(("llm_training", "classic_nlp", "no_project")):
                if number:
                    yield BLANK
                yield Block(Content(self._say(f"sheet.experience.{name}")).stylize("dim"))
                yield Block(prose(self._tr(getattr(question.experience, name))))
        yield from self._sources()

    def _sources(self) -> Blocks:
        yield from self._heading("sheet.references")
        for reference in self.question.references:
            where = f", {reference.section}" if reference.section else ""
            yield Block(Content(f"{reference.title} ({reference.year}){where}"))
            yield Block(Content(reference.url).stylize("dim"))
        for name in practising(self.question.id, self.question.exercise):
            yield Block(inline(self._say("sheet.exercise", exercise=name)))
        if self.question.lab:
            yield Block(inline(self._say("sheet.lab", lab=self.question.lab)))

    # --- scrolling: the keys act on the page, or on the column that has more to show ---

    def _scroller(self) -> Widget:
        columns = list(self.query(".column"))
        return next((column for column in reversed(columns) if column.max_scroll_y > 0), self)

    def scroll_page(self, pages: float) -> None:
        """Scroll by a share of what is visible."""
        target = self._scroller()
        target.scroll_relative(y=pages * max(1, target.size.height), animate=False)

    def scroll_lines(self, lines: int) -> None:
        """Scroll by lines."""
        self._scroller().scroll_relative(y=lines, animate=False)

    def go_to(self, section: str) -> None:
        """Bring a section to the top."""
        for page in self.query(Page):
            line = page.line_of(section)
            if line is not None:
                self._reveal(page, line, top=True)

    def follow(self, points: KeyPoints) -> None:
        """Keep the chosen key point in sight."""
        self._reveal(points, points.current_line, top=False)

    def _reveal(self, page: Page, line: int, *, top: bool) -> None:
        column = page.parent
        scroller = column if isinstance(column, Widget) and column.max_scroll_y > 0 else self
        y = (
            page.virtual_region.y
            + line
            + (0 if scroller is column else (column.virtual_region.y if isinstance(column, Widget) else 0))
        )
        scroller.scroll_to_region(Region(0, y, 1, 1), top=top, animate=False)
