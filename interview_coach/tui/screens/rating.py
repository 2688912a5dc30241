"""Rating an answer: two keys or four, each with the time after which the card comes back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from interview_coach.tui.bindings import bind
from interview_coach.tui.phrases import interval
from interview_coach.tui.screens.base import CoachScreen
from interview_coach.tui.strings import KEYS
from interview_coach.tui.widgets.key_points import KeyPoints
from interview_coach.tui.widgets.sheet import Sheet

_NAMES = {1: "rate.again", 2: "rate.hard", 3: "rate.good", 4: "rate.easy"}


class RatingScreen(CoachScreen):
    """A screen that shows the answer to a question and asks how well it was known."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bind(f"rate.{key}", str(key), f"rate({key})") for key in (1, 2, 3, 4)),
        bind("undo", "u", "undo"),
        bind("scroll.page-up", "pageup", "page(-0.9)", show=False),
        bind("scroll.page-down", "pagedown", "page(0.9)", show=False),
        bind("scroll.up", "up", "scroll(-1)", show=False),
        bind("scroll.down", "down", "scroll(1)", show=False),
    ]

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self._preview: Mapping[int, timedelta] = {}
        self._undoable = False

    def rated_question(self) -> str | None:
        """Id of the question whose answer is shown, or None while there is nothing to rate."""
        raise NotImplementedError

    def after_rating(self) -> None:
        """Go on to the next question."""
        raise NotImplementedError

    def after_undo(self, question_id: str) -> None:
        """A rating of ``question_id`` was taken back."""

    def prepare_rating(self) -> None:
        """Look up when the card would come back."""
        question = self.rated_question()
        try:
            self._preview = self.services.reviewer.preview(question) if question else {}
        except Exception as error:
            self._preview = {}
            self.coach.complain("app.cannot-load", error)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "rate":
            key = parameters[0]
            return isinstance(key, int) and key <= len(self.services.ratings) and self.rated_question() is not None
        return True

    def label_for(self, binding_id: str | None) -> str | None:
        head, _, key = (binding_id or "").partition("rate.")
        if head or key not in {"1", "2", "3", "4"} or int(key) > len(self.services.ratings):
            return None
        rating = self.services.ratings[int(key) - 1]
        name = KEYS[_NAMES[rating]][0].get(self.language)
        span = self._preview.get(rating)
        return name if span is None else f"{name} {interval(span, self.language)}"

    def action_rate(self, key: int) -> None:
        """Rate with the key ``1``, ``2``, ..."""
        question = self.rated_question()
        if question is None:
            return
        try:
            self.services.reviewer.rate(question, self.services.ratings[key - 1])
        except Exception as error:
            self.coach.complain("app.not-saved", error)
            return
        self.after_rating()

    def action_undo(self) -> None:
        """Take the last rating back."""
        try:
            question = self.services.reviewer.undo()
        except Exception as error:
            self.coach.complain("app.not-saved", error)
            return
        if question is None:
            self.coach.message("review.nothing-to-undo")
            return
        self.after_undo(question)

    def action_scroll(self, lines: int) -> None:
        """Scroll by lines."""
        for sheet in self.query(Sheet):
            sheet.scroll_lines(lines)

    @on(KeyPoints.Moved)
    def _moved(self, message: KeyPoints.Moved) -> None:
        if message.past:
            self.action_scroll(message.step)
        else:
            for sheet, points in zip(self.query(Sheet), self.query(KeyPoints), strict=False):
                sheet.follow(points)

    def action_page(self, pages: float) -> None:
        """Scroll by pages."""
        for sheet in self.query(Sheet):
            sheet.scroll_page(pages)
