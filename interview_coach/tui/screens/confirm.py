"""The only question the app asks before it is left, and only when something would be lost."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from interview_coach.text import Language
from interview_coach.tui.bindings import bind
from interview_coach.tui.strings import KEYS, say


class ConfirmScreen(ModalScreen[bool]):
    """Dismissed with True to quit, False to stay."""

    CSS_PATH = "../styles/help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("confirm.yes", "q,y,enter", "answer(True)"),
        bind("confirm.no", "escape,n", "answer(False)"),
    ]

    def __init__(self, lost: str, language: Language) -> None:
        super().__init__()
        self._lost, self._language = lost, language

    def compose(self) -> ComposeResult:
        yes, no = (KEYS[id][0].get(self._language) for id in ("confirm.yes", "confirm.no"))
        with Vertical(id="confirm"):
            yield Static(Content(say("quit.title", self._language)).stylize("bold"), markup=False)
            yield Static(self._lost, markup=False, classes="paragraph")
            yield Static(f"q {yes}   esc {no}", markup=False)

    def action_answer(self, yes: bool) -> None:
        """Close with the answer."""
        self.dismiss(yes)
