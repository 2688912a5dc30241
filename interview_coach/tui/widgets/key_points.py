"""The key points of an answer with their verdicts, which can be flipped one by one."""

from __future__ import annotations

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
    from interview_coach.drill.marked import MarkedAnswer

SIGNS = {"contradicted": "✗", "unsure": "?", "missing": "·", "partial": "~", "hit": "✓"}
COLORS = {
    "contradicted": "$text-error",
    "unsure": "$text-warning",
    "missing": "",
    "partial": "$text-warning",
    "hit": "$text-success",
}
_QUOTED = 60
"""Characters of an answer that are quoted beside a point."""


def point_block(point: KeyPoint, language: Language) -> Block:
    """A key point to be read: its text, and whether it is a core one."""
    return Block(prose(point.text.get(language)), first="  · ", aside=say(f"sheet.{point.weight}", language))


def verdict_block(point: KeyPoint, answer: MarkedAnswer, language: Language, *, current: bool) -> Block:
    """A key point with its verdict: what was wrong and what is right, or the point and the words that show it."""
    mark = answer[point.id]
    sign = Content(SIGNS[mark.verdict]).stylize(COLORS[mark.verdict])
    quote = quoted(mark.quote)
    if mark.verdict == "contradicted" and mark.correction is not None:
        text = Content(quote).stylize(COLORS[mark.verdict]) + Content("  ") + prose(mark.correction.get(language))
    else:
        text = prose(point.text.get(language))
        if quote:
            text += Content("  ") + Content(quote).stylize("dim")
    asides = [say(f"sheet.{point.weight}", language)]
    if answer.is_flipped(point.id):
        asides.insert(0, say("result.yours", language))
    elif mark.verdict in ("missing", "partial", "unsure"):
        asides.insert(0, say(f"result.{mark.verdict}", language))
        if (suggested := answer.suggested.get(point.id)) is not None:
            text += Content(f"  {quoted(suggested.quote)}").stylize("dim italic")
            asides.insert(0, say(f"judge.{suggested.verdict}", language))
    return Block(
        text.stylize("bold") if current else text,
        first=Content("› " if current else "  ") + sign + Content(" "),
        aside=" · ".join(asides),
        anchor=point.id,
    )


def quoted(text: str) -> str:
    """Words of an answer in one line, in quotation marks."""
    line = " ".join(text.split())
    return "" if not line else f"“{line[: _QUOTED - 1]}…”" if len(line) > _QUOTED else f"“{line}”"


class KeyPoints(Page, can_focus=True):
    """Arrows choose a key point, ``f`` flips its verdict, and so does a click on the chosen one.

    Args:
        answer: Marked; only read.
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
        """The verdict on a key point is to be flipped."""

        point_id: str

    @dataclass
    class Moved(Message):
        """The arrows went to another key point, or past the first (-1) or the last (1)."""

        step: int
        past: bool

    def __init__(self, answer: MarkedAnswer, language: Language) -> None:
        by_id = {point.id: point for point in answer.question.key_points}
        self._points = [by_id[id] for id in answer.order]
        self._answer, self._language = answer, language
        super().__init__()
        self.redraw()

    def on_mount(self) -> None:
        self.focus(scroll_visible=False)

    def watch_current(self) -> None:
        self.redraw()

    def turn(self, language: Language) -> None:
        """Show the same in another language, and with the verdicts as they are now."""
        self._language = language
        self.redraw()

    def redraw(self) -> None:
        """Draw all verdicts anew."""
        self.show(
            [
                verdict_block(point, self._answer, self._language, current=index == self.current)
                for index, point in enumerate(self._points)
            ]
        )

    @property
    def current_line(self) -> int:
        """The line of the chosen key point."""
        return (self.line_of(self._points[self.current].id) or 0) if self._points else 0

    def action_flip(self) -> None:
        """Flip the verdict on the chosen key point."""
        if self._points:
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
        at = next((at for at, point in enumerate(self._points) if point.id == name), self.current)
        if at == self.current:
            self.action_flip()
        else:
            self.current = at
