"""The key points of an answer, to be ticked one by one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive

from interview_coach.text import Language
from interview_coach.tui.bindings import bind
from interview_coach.tui.markdown import Block
from interview_coach.tui.strings import say
from interview_coach.tui.widgets.page import Page
from interview_coach.tui.widgets.prose import prose

if TYPE_CHECKING:
    from interview_coach.bank.model import KeyPoint


def point_block(point: KeyPoint, language: Language, *, mark: str = "·", current: bool = False) -> Block:
    """A key point as a line: its mark, its text, and whether it is a core one."""
    text = prose(point.text.get(language))
    lead = Content(f"{'›' if current else ' '} ") + Content(mark).stylize("$text-success" if mark == "✓" else "")
    return Block(
        text.stylize("bold") if current else text,
        first=lead + Content(" "),
        aside=say(f"sheet.{point.weight}", language),
        anchor=point.id,
    )


class KeyPoints(Page, can_focus=True):
    """Arrows choose a key point, ``f`` ticks it, and so does a click.

    Args:
        points: All of them, in the order of the bank.
        ticked: Ids of those that are ticked already; only read.
        language: Of the texts.
    """

    HELP_TOPIC: ClassVar[str] = "help.key-points"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("result.flip", "f", "flip"),
        bind("result.up", "up,k", "move(-1)", show=False),
        bind("result.down", "down,j", "move(1)", show=False),
    ]

    current: reactive[int] = reactive(0, init=False)

    @dataclass
    class Flipped(Message):
        """A key point was ticked or unticked."""

        point_id: str

    @dataclass
    class Moved(Message):
        """The arrows went to another key point, or past the first (-1) or the last (1)."""

        step: int
        past: bool

    def __init__(self, points: Sequence[KeyPoint], ticked: Collection[str], language: Language) -> None:
        self._points, self._ticked, self._language = points, ticked, language
        super().__init__()
        self.redraw()

    def on_mount(self) -> None:
        self.focus(scroll_visible=False)

    def watch_current(self) -> None:
        self.redraw()

    def turn(self, language: Language) -> None:
        """Show the same in another language."""
        self._language = language
        self.redraw()

    def redraw(self) -> None:
        """Draw all marks anew."""
        self.show(
            [
                point_block(
                    point,
                    self._language,
                    mark="✓" if point.id in self._ticked else "·",
                    current=index == self.current,
                )
                for index, point in enumerate(self._points)
            ]
        )

    @property
    def current_line(self) -> int:
        """The line of the chosen key point."""
        return self.line_of(self._points[self.current].id) or 0

    def action_flip(self) -> None:
        """Tick the chosen key point, or untick it."""
        self.post_message(self.Flipped(self._points[self.current].id))

    def action_move(self, step: int) -> None:
        """Choose the next key point; past the ends the page scrolls."""
        target = self.current + step
        past = not 0 <= target < len(self._points)
        if not past:
            self.current = target
        self.post_message(self.Moved(step, past))

    def on_click(self, event: events.Click) -> None:
        name = self.anchor_at(event.y)
        self.current = next((at for at, point in enumerate(self._points) if point.id == name), self.current)
        self.action_flip()
