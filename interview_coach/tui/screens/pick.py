"""Choosing one of a few names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from interview_coach.tui.bindings import bind


class PickScreen(ModalScreen[str | None]):
    """Dismissed with the name that was chosen, ``""`` for all of them, or None by Esc.

    Args:
        heading: What is chosen.
        everything: The words for all of them.
        names: Each with how many there are.
        current: The one chosen now.
    """

    CSS_PATH = "../styles/help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [bind("close", "escape", "leave")]

    def __init__(self, heading: str, everything: str, names: Sequence[tuple[str, int]], current: str | None) -> None:
        super().__init__()
        self._heading, self._everything, self._names, self._current = heading, everything, names, current

    def compose(self) -> ComposeResult:
        with Vertical(id="pick"):
            yield Static(Content(self._heading).stylize("bold"), markup=False, classes="paragraph")
            yield OptionList(
                Option(Content(self._everything), id="="),
                *(Option(Content(f"{name}  {count}"), id=f"={name}") for name, count in self._names),
                markup=False,
            )

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        names = [name for name, _ in self._names]
        options.highlighted = names.index(self._current) + 1 if self._current in names else 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss((event.option.id or "=")[1:])

    def action_leave(self) -> None:
        """Close without a choice."""
        self.dismiss(None)
