"""The key points of an answer, to be ticked one by one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import HorizontalGroup, VerticalGroup
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static

from interview_coach.text import Language
from interview_coach.tui.bindings import bind
from interview_coach.tui.strings import say
from interview_coach.tui.widgets.prose import Prose

if TYPE_CHECKING:
    from interview_coach.bank.model import KeyPoint


class PointRow(HorizontalGroup):
    """A mark, the key point, and whether it is a core one."""

    def __init__(self, index: int, point: KeyPoint, language: Language) -> None:
        super().__init__()
        self.index, self._point, self._language = index, point, language

    def compose(self) -> ComposeResult:
        yield Static("", markup=False, classes="mark")
        yield Prose(self._point.text.get(self._language), classes="point")
        yield Static(say(f"sheet.{self._point.weight}", self._language), markup=False, classes="weight")

    def show(self, *, ticked: bool, current: bool) -> None:
        """Draw the mark."""
        self.query_one(".mark", Static).update(f"{'›' if current else ' '} {'✓' if ticked else '·'} ")
        self.set_class(current, "-current")
        self.set_class(ticked, "-ticked")


class KeyPoints(VerticalGroup, can_focus=True):
    """Arrows choose a key point, ``f`` ticks it, and so does a click.

    Args:
        points: All of them, in the order of the bank.
        ticked: Ids of those that are ticked already; only read.
        language: Of the texts.
        ticking: Whether they can be ticked; else they are only listed.
    """

    HELP_TOPIC: ClassVar[str] = "help.key-points"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("result.flip", "f", "flip"),
        bind("result.up", "up,k", "move(-1)", show=False),
        bind("result.down", "down,j", "move(1)", show=False),
    ]

    current: reactive[int] = reactive(0)

    @dataclass
    class Flipped(Message):
        """A key point was ticked or unticked."""

        point_id: str

    @dataclass
    class PastTheEnd(Message):
        """The arrows went past the first key point (-1) or the last (1)."""

        step: int

    def __init__(
        self, points: Sequence[KeyPoint], ticked: Collection[str], language: Language, *, ticking: bool = True
    ) -> None:
        super().__init__()
        self._points, self._ticked, self._language, self._ticking = points, ticked, language, ticking
        self.can_focus = ticking

    def compose(self) -> ComposeResult:
        for index, point in enumerate(self._points):
            yield PointRow(index, point, self._language)

    def on_mount(self) -> None:
        self.redraw()
        if self._ticking:
            self.focus(scroll_visible=False)

    def watch_current(self) -> None:
        if self.is_mounted:
            self.redraw()

    def redraw(self) -> None:
        """Draw all marks anew."""
        for row, point in zip(self.query(PointRow), self._points, strict=False):
            row.show(ticked=point.id in self._ticked, current=self._ticking and row.index == self.current)

    def action_flip(self) -> None:
        """Tick the chosen key point, or untick it."""
        self.post_message(self.Flipped(self._points[self.current].id))

    def action_move(self, step: int) -> None:
        """Choose the next key point; past the ends the page scrolls."""
        target = self.current + step
        if 0 <= target < len(self._points):
            self.current = target
            list(self.query(PointRow))[target].scroll_visible(animate=False)
        else:
            self.post_message(self.PastTheEnd(step))

    def on_click(self, event: events.Click) -> None:
        row = next(
            (node for node in (event.widget.ancestors_with_self if event.widget else ()) if isinstance(node, PointRow)),
            None,
        )
        if row is not None and self._ticking:
            self.current = row.index
            self.action_flip()
