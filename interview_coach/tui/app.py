"""The app: what holds the screens together. Each screen is imported when it is first opened."""

from __future__ import annotations

import importlib
import signal
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, cast

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.reactive import reactive
from textual.screen import Screen

from interview_coach.text import Language
from interview_coach.tui import wrapping
from interview_coach.tui.bindings import bind
from interview_coach.tui.screens.base import CoachScreen
from interview_coach.tui.screens.home import HomeScreen
from interview_coach.tui.services import Services
from interview_coach.tui.strings import KEYS, say

_SCREENS = {
    "drill": ("interview_coach.tui.screens.drill", "DrillScreen"),
    "interview": ("interview_coach.tui.screens.interview", "InterviewScreen"),
    "review": ("interview_coach.tui.screens.review", "ReviewScreen"),
    "grade": ("interview_coach.tui.screens.grade", "GradeScreen"),
    "browse": ("interview_coach.tui.screens.browse", "BrowseScreen"),
    "hunt": ("interview_coach.tui.screens.hunt", "HuntScreen"),
    "question": ("interview_coach.tui.screens.question", "QuestionScreen"),
}
_STYLES = Path(__file__).with_name("styles")
_KEPT = {"grade", "browse"}
"""Screens that stay as they were left: what was searched, what was graded."""


class CoachApp(App[int]):
    """Interview Coach in the terminal.

    Args:
        services: Bank, store and the rest; made with the defaults where none are given.
        screen: What to open over the home screen.
        language: For this run; by default the setting.
        topic: Drill or browse this topic only.
        path: File to grade at once.
    """

    TITLE = "Interview Coach"
    CSS_PATH = [_STYLES / "base.tcss", _STYLES / "home.tcss"]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("drill", "d", "go('drill')"),
        bind("interview", "i", "go('interview')", show=False),
        bind("review", "r", "go('review')"),
        bind("grade", "g", "go('grade')"),
        bind("browse", "b", "go('browse')"),
        bind("hunt", "h", "go('hunt')"),
        bind("language", "l", "language"),
        bind("help", "question_mark,f1", "help"),
        bind("quit", "q", "quit_if_safe"),
        bind("palette", "ctrl+p", "command_palette", show=False, priority=True),
        bind("interrupt", "ctrl+c", "interrupt", show=False, priority=True),
    ]

    language: reactive[Language] = reactive[Language]("en", init=False)

    def __init__(
        self,
        services: Services | None = None,
        *,
        screen: str = "home",
        language: Language | None = None,
        topic: str | None = None,
        path: Path | None = None,
    ) -> None:
        wrapping.install()
        super().__init__()
        self.services = services or Services()
        self.set_reactive(CoachApp.language, language or self.services.settings.language)
        self._first, self._topic, self._path = screen, topic, path
        self._kept: dict[str, CoachScreen] = {}
        self._clashes: set[str] = set()
        settings = self.services.settings
        if settings.theme in self.available_themes:
            self.theme = settings.theme
        if settings.reduced_motion:
            self.animation_level = "none"
        self.set_keymap(dict(settings.keys))

    def get_default_screen(self) -> Screen[Any]:
        return HomeScreen()

    def on_mount(self) -> None:
        self._watch_signals()
        for problem in self.services.problems:
            self.notify(problem.message(self.language), severity="warning", markup=False)
        takes_topic = self._first in {"drill", "interview", "browse"}
        options = {"topic": self._topic} if takes_topic else {"path": self._path} if self._first == "grade" else {}
        if self._first != "home":
            self.open(self._first, **options)

    def _watch_signals(self) -> None:
        """A closed terminal or a polite kill ends the app as a key would: the terminal is put back as it was."""
        if self._loop is None or self.is_headless:
            return
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None:
                try:
                    self._loop.add_signal_handler(number, partial(self.exit, 0, 128 + number))
                except (NotImplementedError, RuntimeError, ValueError):
                    return

    def open(self, name: str, **options: Any) -> CoachScreen:
        """Put a screen on top; ``options`` go to its constructor, or to ``revisit`` of a screen that was kept."""
        module, attribute = _SCREENS[name]
        if name in self._kept and self._kept[name] not in self.screen_stack:
            screen = self._kept[name]
            screen.revisit(**options)
        else:
            screen = getattr(importlib.import_module(module), attribute)(**options)
            if name in _KEPT:
                self._kept[name] = screen
                self.install_screen(screen, f"kept-{name}-{id(screen)}")
        self.push_screen(screen)
        return screen

    # --- keys ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        screen = self.screen if self.screen_stack else None
        if action == "go" and isinstance(screen, CoachScreen):
            return not screen.in_session() and screen.name != parameters[0]
        if action in {"language", "quit_if_safe", "help"}:
            return isinstance(screen, CoachScreen)
        return True

    def action_go(self, name: str) -> None:
        """Open a screen; the screens between it and home are left."""
        base = self.screen_stack[0]
        while self.screen is not base and len(self.screen_stack) > 1:
            self.pop_screen()
        self.open(name)

    def action_language(self) -> None:
        """Switch between English and Chinese, now and for the next time."""
        self.language = "zh" if self.language == "en" else "en"
        self.keep(language=self.language)

    def keep(self, **settings: Any) -> None:
        """Change settings; what cannot be saved is told, and holds for this run."""
        from interview_coach.errors import CoachError

        try:
            self.services.change(**settings)
        except (CoachError, OSError) as error:
            self.complain("app.not-saved", error)

    def complain(self, key: str, error: Exception) -> None:
        """Tell that something failed, without leaving the screen."""
        from interview_coach.errors import CoachError

        words = error.message(self.language) if isinstance(error, CoachError) else str(error)
        self.notify(say(key, self.language, error=words), severity="error", markup=False)

    def watch_language(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, CoachScreen) and screen.is_mounted:
                screen.update_texts()
                screen.refresh_bindings()
        for kept in self._kept.values():
            if kept.is_mounted and kept not in self.screen_stack:
                kept.update_texts()

    def action_help(self) -> None:
        """What can be done with what has the focus."""
        from interview_coach.tui.screens.help import HelpScreen

        screen = self.screen
        if isinstance(screen, CoachScreen):
            self.push_screen(HelpScreen(screen))

    def action_quit_if_safe(self) -> None:
        """Leave; ask only if something would be lost."""
        losses = [screen.would_lose() for screen in self.screen_stack if isinstance(screen, CoachScreen)]
        lost = next((loss for loss in losses if loss), None)
        if lost is None:
            self.exit(0)
            return
        from interview_coach.tui.screens.confirm import ConfirmScreen

        self.push_screen(ConfirmScreen(lost, self.language), lambda yes: self.exit(0) if yes else None)

    def action_interrupt(self) -> None:
        """Ctrl-C: copy where text is selected in a field, else leave at once."""
        focused = self.focused
        if getattr(focused, "selected_text", ""):
            self.call_next(self.run_action, "copy", focused)
        elif self.screen.get_selected_text():
            self.screen.action_copy_text()
        else:
            self.exit(0)

    # --- Textual's own parts ---

    def handle_bindings_clash(self, clashed_bindings: set[Binding], node: DOMNode) -> None:
        ids = sorted(binding.id for binding in clashed_bindings if binding.id) or ["?"]
        if not self._clashes.issuperset(ids):
            self._clashes.update(ids)
            self.notify(say("app.key-clash", self.language, ids=", ".join(ids)), severity="warning", markup=False)

    def action_command_palette(self) -> None:
        from textual.command import CommandPalette

        if not CommandPalette.is_open(cast("App[object]", self)):
            self.push_screen(CommandPalette(id="--command-palette", placeholder=say("app.palette", self.language)))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What works on this screen, by name; and the themes."""
        about = screen if isinstance(screen, CoachScreen) else None
        seen = {f"go('{name}')" for name in _SCREENS} if about and about.in_session() else set()
        for node, binding, enabled, _ in screen.active_bindings.values():
            if (
                not enabled
                or binding.id not in KEYS
                or binding.action in seen
                or binding.id in {"palette", "interrupt"}
            ):
                continue
            seen.add(binding.action)
            label, tip = (
                text.get(self.language) for text in KEYS[about.stands_for(binding.id) if about else binding.id]
            )
            label = (about.label_for(binding.id) if about else None) or label
            yield SystemCommand(label, tip, lambda node=node, action=binding.action: self._act(node, action))
        yield SystemCommand(say("app.theme", self.language), say("app.theme-help", self.language), self.search_themes)

    def _act(self, node: DOMNode, action: str) -> None:
        self.call_next(self.run_action, action, node)

    def _watch_theme(self, theme_name: str) -> None:
        super()._watch_theme(theme_name)
        if self.is_running and theme_name != self.services.settings.theme:
            self.keep(theme=theme_name)

    def message(self, key: str, **values: object) -> None:
        """A short note that goes away by itself."""
        self.notify(say(key, self.language, **values), markup=False)
