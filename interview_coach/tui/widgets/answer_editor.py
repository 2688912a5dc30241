"""The field an answer is typed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message
from textual.widgets import TextArea

from interview_coach.tui.bindings import bind


class AnswerEditor(TextArea):
    """A plain text area with three commands; every other key types.

    Few terminals can tell ctrl+enter from enter, so ctrl+j, which all can send, and F2 do the same.
    """

    HELP_TOPIC: ClassVar[str] = "help.editor"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("editor.done", "ctrl+enter,ctrl+j,f2", "done", display="ctrl+enter/ctrl+j"),
        bind("editor.leave", "escape", "leave"),
        bind("editor.external", "ctrl+e", "external"),
    ]

    @dataclass
    class Done(Message):
        """The answer is handed in."""

    @dataclass
    class Left(Message):
        """The editor is left; the text stays."""

    @dataclass
    class ExternalWanted(Message):
        """The answer is to be written in ``$EDITOR``."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, soft_wrap=True, tab_behavior="focus", highlight_cursor_line=False)
        self.cursor_blink = False

    def action_done(self) -> None:
        """Hand in the answer."""
        self.post_message(self.Done())

    def action_leave(self) -> None:
        """Leave the editor."""
        self.post_message(self.Left())

    def action_external(self) -> None:
        """Write elsewhere."""
        self.post_message(self.ExternalWanted())
