"""A short text with a little Markdown. A longer one is a :class:`~interview_coach.tui.widgets.page.Page`."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from interview_coach.tui.markdown import inline, joined


def prose(text: str) -> Content:
    """``text`` as styled text; each paragraph of source lines becomes one."""
    return Content("\n\n").join([inline(joined(part.split("\n"))) for part in text.strip().split("\n\n")])


class Prose(Static):
    """A paragraph. Its text is never read as Textual's own markup."""

    def __init__(self, text: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(prose(text), markup=False, id=id, classes=classes)

    def show(self, text: str) -> None:
        """Replace the text."""
        self.update(prose(text))
