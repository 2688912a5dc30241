"""A field for a few words; Esc leaves it and keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Input

from interview_coach.tui.bindings import bind


class SearchField(Input):
    """An input that is left with Esc or ↓."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("leave-search", "escape,down", "leave", display="esc"),
    ]

    @dataclass
    class Left(Message):
        """The field was left."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, compact=True, select_on_focus=False)
        self.cursor_blink = False

    def action_leave(self) -> None:
        """Leave the field."""
        self.post_message(self.Left())
