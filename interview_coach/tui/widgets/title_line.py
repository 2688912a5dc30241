"""The first line of a screen: where one is, and at the other end how things stand."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from interview_coach.tui.phrases import sides


class TitleLine(Widget):
    """Two short texts at the two ends of a line, with a rule below."""

    left: reactive[str] = reactive("")
    right: reactive[str] = reactive("")

    def render(self) -> Content:
        line = sides(self.left, self.right, self.content_size.width)
        first = len(line) - len(self.right)
        return Content(line).stylize("bold", 0, first)
