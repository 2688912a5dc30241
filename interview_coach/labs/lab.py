"""What a lab is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from interview_coach.page import Page
from interview_coach.records import record
from interview_coach.text import Language, Text


@record
class Lab:
    """One seeded numpy experiment of less than a second.

    Attributes:
        id: The module's name with hyphens, ``kv-cache``.
        title: A few words.
        summary: What is measured, and on what, in one or two sentences.
        values: Runs the experiment: dotted names to numbers (``scaled.d64.mean``), the same at every run. The
            ``claims`` of questions name these values.
        body: Writes tables, charts and the reading of them on a page, below the title and the summary.
        questions: Ids of the questions that this lab is the evidence for.
    """

    id: str
    title: Text
    summary: Text
    values: Callable[[], Mapping[str, float]]
    body: Callable[[Page], None]
    questions: tuple[str, ...] = ()

    def render(self, language: Language, width: int = 80, color: bool = False) -> str:
        """The whole lab as text, no line wider than ``width`` columns (40 at least)."""
        page = Page(language, width, color)
        page.title(self.title)
        page.say(self.summary)
        self.body(page)
        return page.text()
