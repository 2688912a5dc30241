"""Review: the cards that are due, front, back, rating."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from interview_coach.tui.bindings import bind
from interview_coach.tui.phrases import interval
from interview_coach.tui.screens.rating import RatingScreen
from interview_coach.tui.widgets.prose import Prose
from interview_coach.tui.widgets.sheet import Sheet


class ReviewScreen(RatingScreen):
    """One card after the other until nothing is due."""

    CSS_PATH = ["../styles/sheet.tcss", "../styles/review.tcss"]  # noqa: RUF012
    HELP = "help.review"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("review.show", "space,enter", "show"),
        bind("result.answer", "m", "section('sheet.answer')", show=False),
        bind("result.follow-ups", "n", "section('sheet.follow-ups')", show=False),
        bind("result.sources", "o", "section('sheet.references')", show=False),
    ]

    def __init__(self) -> None:
        super().__init__("review")
        self._due: list[str] = []
        self._card: str | None = None
        self._turned = False
        self._done = 0

    def compose_body(self) -> ComposeResult:
        with Vertical(id="front"):
            yield Prose(id="prompt")
            yield Static(id="hint", markup=False)
        yield Vertical(id="back")

    def on_mount(self) -> None:
        self._next()

    def _next(self, card: str | None = None) -> None:
        """Show the front of ``card``, by default of the first one that is due."""
        try:
            self._due = [id for id in self.services.reviewer.due() if self.services.bank.get(id) is not None]
        except Exception as error:
            self._due = []
            self.coach.complain("app.cannot-load", error)
        self._card = card or (self._due[0] if self._due else None)
        self._turned = False
        self._show()

    def _show(self) -> None:
        self.query_one("#front").display = not self._turned
        self.query_one("#back").display = self._turned
        self.update_texts()
        self.refresh_bindings()

    def update_texts(self) -> None:
        card = self.services.bank.get(self._card) if self._card else None
        left = [self.say("review.title")]
        if card is not None:
            left += [card.topic, self.say("app.level", level=card.level)]
            prompt, hint = self.tr(card.prompt), self.say("review.front")
        else:
            prompt = self.say("review.done", count=self._done) if self._done else self.say("review.nothing")
            hint = "\n".join([*self._next_due(), self.say("review.nothing-hint")])
        count = len(self._due) + (self._card is not None and self._card not in self._due)
        self.head(" · ".join(left), self.say("review.left", count=count) if count else "")
        self.query_one("#prompt", Prose).show(prompt)
        self.query_one("#hint", Static).update(hint)
        for sheet in self.query(Sheet):
            sheet.turn(self.language)

    def _next_due(self) -> list[str]:
        at = self.services.reviewer.next_due()
        if at is None:
            return []
        return [self.say("review.next-due", span=interval(at - self.services.now(), self.language))]

    def in_session(self) -> bool:
        return self._card is not None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "show":
            return self._card is not None and not self._turned
        if action == "section":
            return self._turned
        return super().check_action(action, parameters)

    def stands_for(self, binding_id: str) -> str:
        return "home" if binding_id == "back" else binding_id

    def action_show(self) -> None:
        """Turn the card."""
        card = self.services.bank.get(self._card or "")
        if card is None:
            return
        self._turned = True
        self.prepare_rating()
        back = self.query_one("#back")
        back.remove_children()
        back.mount(Sheet(card, self.language))
        self._show()

    def action_section(self, section: str) -> None:
        """Jump to a part of the answer."""
        for sheet in self.query(Sheet):
            sheet.go_to(section)

    def rated_question(self) -> str | None:
        return self._card if self._turned else None

    def after_rating(self) -> None:
        self._done += 1
        self._next()

    def after_undo(self, question_id: str) -> None:
        self._done = max(0, self._done - 1)
        self.coach.message("review.undone")
        self._next(question_id if self.services.bank.get(question_id) else None)
