"""Help for what has the focus: a paragraph, and every key that works now."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from interview_coach.tui.bindings import bind, key_name
from interview_coach.tui.screens.base import CoachScreen
from interview_coach.tui.strings import KEYS


class HelpScreen(ModalScreen[None]):
    """Closed by Esc, or by the key that opened it."""

    CSS_PATH = "../styles/help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [bind("close", "escape,question_mark,f1,enter,q", "dismiss")]

    def __init__(self, about: CoachScreen) -> None:
        super().__init__()
        self._about = about
        # Read before this screen is on top: afterwards its own keys are the active ones.
        self._keys = self._active_keys(about)

    def compose(self) -> ComposeResult:
        about = self._about
        with VerticalScroll(id="help"):
            yield Static(Content(about.say("help.title")).stylize("bold"), markup=False)
            yield Static(about.say(about.help_topic()), markup=False, classes="paragraph")
            yield Static(Content(about.say("help.keys")).stylize("bold"), markup=False)
            yield Static(self._table(), markup=False)
            yield Static(f"esc {KEYS['close'][0].get(about.language)}", markup=False, classes="closing")

    @staticmethod
    def _active_keys(about: CoachScreen) -> list[tuple[str, str]]:
        rows: dict[str, tuple[list[str], str]] = {}
        for _, binding, enabled, _ in sorted(
            about.active_bindings.values(), key=lambda active: not active.binding.show
        ):
            if enabled and binding.id in KEYS:
                keys, _ = rows.setdefault(binding.id, ([], KEYS[about.stands_for(binding.id)][1].get(about.language)))
                if key_name(binding) not in keys:
                    keys.append(key_name(binding))
        return [(" ".join(keys), tip) for keys, tip in rows.values()]

    def _table(self) -> Content:
        width = max((cell_len(keys) for keys, _ in self._keys), default=0)
        lines = [
            Content(keys + " " * (width - cell_len(keys))).stylize("bold") + Content(f"   {tip}")
            for keys, tip in self._keys
        ]
        return Content("\n").join(lines)
