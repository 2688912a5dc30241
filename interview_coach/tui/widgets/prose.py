"""A short text with a little Markdown: `` `code` `` and ``**bold**``. Longer texts get a real Markdown widget."""

from __future__ import annotations

import re

from textual.content import Content
from textual.widgets import Static

_MARKS = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


def prose(text: str) -> Content:
    """``text`` with its marks turned into styles; one paragraph of source lines becomes one paragraph."""
    text = "\n\n".join(" ".join(part.split("\n")).strip() for part in text.strip().split("\n\n"))
    parts: list[str | tuple[str, str]] = []
    last = 0
    for match in _MARKS.finditer(text):
        parts.append(text[last : match.start()])
        code, bold = match.groups()
        parts.append((code, "$text-accent") if code else (bold, "bold"))
        last = match.end()
    return Content.assemble(*parts, text[last:])


class Prose(Static):
    """A paragraph. Its text is never read as Textual's own markup."""

    def __init__(self, text: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(prose(text), markup=False, id=id, classes=classes)

    def show(self, text: str | Content) -> None:
        """Replace the text."""
        self.update(prose(text) if isinstance(text, str) else text)
