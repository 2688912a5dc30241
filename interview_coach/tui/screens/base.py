"""What all screens share: the title line, the bottom line, the language, Esc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from interview_coach.text import Language, Text
from interview_coach.tui.bindings import bind
from interview_coach.tui.strings import say
from interview_coach.tui.widgets.key_line import KeyLine
from interview_coach.tui.widgets.title_line import TitleLine

if TYPE_CHECKING:
    from interview_coach.tui.app import CoachApp
    from interview_coach.tui.services import Services


class CoachScreen(Screen[None]):
    """A screen of the app. Subclasses compose a body and fill in its texts.

    Attributes:
        HELP: Key of the paragraph that help shows.
        QUIET: Ids of bindings that work, but are told by help only.
    """

    HELP: ClassVar[str] = "help.home"
    QUIET: ClassVar[frozenset[str]] = frozenset({"drill", "review", "grade", "browse", "hunt"})
    BINDINGS: ClassVar[list[BindingType]] = [bind("back", "escape", "back")]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012

    @property
    def coach(self) -> CoachApp:
        """The app."""
        return cast("CoachApp", self.app)

    @property
    def services(self) -> Services:
        """Bank, store and the rest."""
        return self.coach.services

    @property
    def language(self) -> Language:
        """The language on the screen."""
        return self.coach.language

    def say(self, key: str, **values: object) -> str:
        """A text of the app in the language on the screen."""
        return say(key, self.language, **values)

    def tr(self, text: Text) -> str:
        """A text of the bank in the language on the screen."""
        return text.get(self.language)

    def compose(self) -> ComposeResult:
        yield TitleLine()
        yield from self.compose_body()
        yield KeyLine()

    def compose_body(self) -> ComposeResult:
        """The widgets between the title and the keys."""
        yield from ()

    def head(self, left: str, right: str = "") -> None:
        """Set the title line."""
        line = self.query_one(TitleLine)
        line.left, line.right = left, right

    def update_texts(self) -> None:
        """Write every text anew: the language changed, or the screen came back."""

    def stands_for(self, binding_id: str) -> str:
        """The id in ``KEYS`` of the words for a binding, where it does something else than usual."""
        return binding_id

    def label_for(self, binding_id: str | None) -> str | None:
        """Another word for a key of the bottom line, or None for the usual one."""
        return None

    def revisit(self, **options: Any) -> None:
        """A screen that was kept is about to be shown again, with what it would have been made with."""

    def in_session(self) -> bool:
        """Whether a drill or a review is going on: then the keys that lead elsewhere are off, lest one ends it."""
        return False

    def would_lose(self) -> str | None:
        """What quitting now would lose, in words, or None."""
        return None

    def help_topic(self) -> str:
        """Key of the paragraph that help shows for what has the focus."""
        return getattr(self.focused, "HELP_TOPIC", None) or self.HELP

    def on_screen_resume(self) -> None:
        self.update_texts()
        self.refresh_bindings()

    def action_back(self) -> None:
        """Go where one came from."""
        self.app.pop_screen()
