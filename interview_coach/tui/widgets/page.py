"""A page of text: blocks broken into lines, in one widget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.content import Content
from textual.widget import Widget

from interview_coach.tui.markdown import Block, Table, layout


class Page(Widget):
    """Shows blocks; as high as they are.

    Args:
        blocks: What to show.
    """

    def __init__(self, blocks: Sequence[Block | Table] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._blocks = tuple(blocks)
        self._laid: tuple[int, list[Content], dict[str, int]] | None = None

    def show(self, blocks: Sequence[Block | Table]) -> None:
        """Replace what is shown."""
        self._blocks = tuple(blocks)
        self._laid = None
        self.refresh(layout=True)

    def _fit(self, width: int) -> tuple[list[Content], dict[str, int]]:
        if self._laid is None or self._laid[0] != width:
            self._laid = (width, *layout(self._blocks, width))
        return self._laid[1:]

    def line_of(self, anchor: str) -> int | None:
        """The line at which a block with this anchor begins."""
        return self._fit(self.content_size.width)[1].get(anchor)

    def anchor_at(self, line: int) -> str | None:
        """The last anchor that stands at or above a line."""
        anchors = self._fit(self.content_size.width)[1]
        above = [name for name, at in anchors.items() if at <= line]
        return above[-1] if above else None

    def get_content_height(self, container: Any, viewport: Any, width: int) -> int:
        return len(self._fit(width)[0])

    def render(self) -> Content:
        return Content("\n").join(self._fit(self.content_size.width)[0])
