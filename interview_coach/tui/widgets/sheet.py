"""All that belongs to a question, on one page; on a wide screen in two columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalGroup, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Markdown, Static

from interview_coach.text import Language, Text
from interview_coach.tui.strings import say
from interview_coach.tui.widgets.key_points import KeyPoints
from interview_coach.tui.widgets.prose import Prose, prose

if TYPE_CHECKING:
    from interview_coach.bank.model import Question


class Section(VerticalGroup):
    """A heading and what stands below it."""

    def __init__(self, heading: str, *children: Widget, id: str | None = None) -> None:
        super().__init__(Static(heading, markup=False, classes="heading"), *children, id=id)


class Sheet(VerticalScroll, can_focus=False):
    """A question with its answer, key points, pitfalls, follow-ups and sources.

    Args:
        question: What to show.
        language: Of the texts.
        said: The user's own answer, where there is one.
        note: A line above it.
        ticked: Ids of the ticked key points; None where they are only to be read.
        whole: Also what the interviewer looks for, and how to tie it to one's own work.
    """

    def __init__(
        self,
        question: Question,
        language: Language,
        *,
        said: str | None = None,
        note: str = "",
        ticked: Collection[str] | None = None,
        whole: bool = False,
    ) -> None:
        super().__init__()
        self.question, self.language = question, language
        self._said, self._note, self._ticked, self._whole = said, note, ticked, whole

    def turn(self, language: Language) -> None:
        """Show the same in another language."""
        if language != self.language:
            self.language = language
            self.refresh(recompose=True)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="column", can_focus=False):
            yield from self._first_column()
        with VerticalScroll(classes="column", can_focus=False):
            yield from self._second_column()

    def _say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

    def _tr(self, text: Text) -> str:
        return text.get(self.language)

    def _first_column(self) -> Iterator[Widget]:
        question = self.question
        yield Prose(self._tr(question.prompt), classes="prompt")
        if self._whole:
            yield Section(self._say("sheet.intent"), Prose(self._tr(question.intent)))
        if self._said is not None:
            parts = [Static(self._note, markup=False, classes="muted")] if self._note else []
            said = self._said.strip("\n") or self._say("drill.no-answer")
            parts.append(Static(said, markup=False, classes="said"))
            yield Section(self._say("drill.your-answer"), *parts, id="said")
        ticking = self._ticked is not None
        points = KeyPoints(
            question.key_points, () if self._ticked is None else self._ticked, self.language, ticking=ticking
        )
        yield Section(self._say("sheet.key-points"), points, id="key-points")
        yield Section(self._say("sheet.elevator"), Prose(self._tr(question.elevator)), id="elevator")

    def _second_column(self) -> Iterator[Widget]:
        question = self.question
        yield Section(
            self._say("sheet.answer"), Markdown(self._tr(question.answer).strip(), open_links=False), id="answer"
        )
        if question.pitfalls:
            pairs = [
                Static(
                    Content("\n").join(
                        [Content("✗ ") + prose(self._tr(pitfall.wrong)), Content("✓ ") + prose(self._tr(pitfall.right))]
                    ),
                    markup=False,
                    classes="pair",
                )
                for pitfall in question.pitfalls
            ]
            yield Section(self._say("sheet.pitfalls"), *pairs, id="pitfalls")
        if question.follow_ups:
            asked = [
                VerticalGroup(
                    Prose(self._tr(follow_up.question), classes="asked"),
                    Prose(self._tr(follow_up.answer)),
                    classes="pair",
                )
                for follow_up in question.follow_ups
            ]
            yield Section(self._say("sheet.follow-ups"), *asked, id="follow-ups")
        if self._whole:
            ways = [
                VerticalGroup(
                    Static(self._say(f"sheet.experience.{name}"), markup=False, classes="muted"),
                    Prose(self._tr(getattr(question.experience, name))),
                    classes="pair",
                )
                for name in ("llm_training", "classic_nlp", "no_project")
            ]
            yield Section(self._say("sheet.experience"), *ways, id="experience")
        yield Section(self._say("sheet.references"), Static(self._sources(), markup=False), id="sources")

    def _sources(self) -> Content:
        question = self.question
        lines = []
        for reference in question.references:
            where = f", {reference.section}" if reference.section else ""
            lines.append(Content(f"{reference.title} ({reference.year}){where}\n{reference.url}"))
        for key, name in (("exercise", question.exercise), ("lab", question.lab)):
            if name:
                lines.append(Content(self._say(f"sheet.{key}", **{key: name})))
        return Content("\n").join(lines)

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
        for found in self.query(f"#{section}"):
            found.scroll_visible(top=True, animate=False)
