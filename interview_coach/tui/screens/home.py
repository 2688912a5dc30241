"""The first screen: what is due, the question of the day, what came of the last tries."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalGroup, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from interview_coach.records import record
from interview_coach.tui.bindings import bind
from interview_coach.tui.phrases import ago, fit, share_bar, sides, sparkline
from interview_coach.tui.screens.base import CoachScreen
from interview_coach.tui.widgets.prose import prose

if TYPE_CHECKING:
    from interview_coach.bank.model import Question
    from interview_coach.review import Stats
    from interview_coach.store import Event

_SECONDS_A_CARD = 50
_AFTER_FIRST_FRAME = 0.02
_PARTS = ("today", "question", "results", "weakest")


@record
class Overview:
    """What the home screen tells, read in one go."""

    due: int
    question: Question | None
    answered_today: bool
    stats: Stats


class HomeScreen(CoachScreen):
    """What to do today."""

    HELP = "help.home"
    QUIET: ClassVar[frozenset[str]] = frozenset()
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("home.go", "enter,space", "answer", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(name="home")
        self._overview: Overview | None = None

    def compose_body(self) -> ComposeResult:
        with VerticalScroll(id="body", can_focus=False):
            for column in (_PARTS[:2], _PARTS[2:]):
                yield VerticalGroup(*(Static(id=part, markup=False) for part in column), classes="column")

    def on_mount(self) -> None:
        self.update_texts()

    def on_screen_resume(self) -> None:
        if self._overview is None:
            # The first frame is drawn, and takes keys, before anything is read.
            self.set_timer(_AFTER_FIRST_FRAME, self.load)
        else:
            self.call_after_refresh(self.load)

    def on_resize(self) -> None:
        if self._overview is not None:
            self.call_after_refresh(self.update_texts)

    def load(self) -> None:
        """Read what there is to tell; the frame stands already."""
        services = self.services
        try:
            bank = services.bank
            if bank.problems and self._overview is None:
                self.coach.message("app.bank-problems", count=len({problem.file for problem in bank.problems}))
            self._overview = Overview(
                due=len(services.reviewer.due()),
                question=bank.get(services.question_of_the_day() or ""),
                answered_today=services.answered_today(),
                stats=services.stats(),
            )
        except Exception as error:
            self.coach.complain("app.cannot-load", error)
        self.update_texts()
        self.refresh_bindings()

    def update_texts(self) -> None:
        overview = self._overview
        right = [self.say("app.language"), self.say("app.offline")]
        if overview and overview.stats.streak > 1:
            right.append(self.say("app.streak", days=overview.stats.streak))
        self.head(self.say("app.title"), " · ".join(right))
        for part in _PARTS:
            static = self.query_one(f"#{part}", Static)
            width = max(20, static.content_size.width or self.size.width - 8)
            static.update(getattr(self, f"_{part}")(overview, width))

    # --- the four parts ---

    def _headed(self, key: str, *lines: Content | str) -> Content:
        heading = Content(self.say(key)).stylize("bold")
        return Content("\n").join([heading, *(line if isinstance(line, Content) else Content(line) for line in lines)])

    def _today(self, overview: Overview | None, width: int) -> Content:
        if overview is None:
            return self._headed("home.today", self.say("home.loading"))
        if overview.due == 0:
            due = self.say("home.nothing-due")
        elif overview.due == 1:
            due = self.say("home.due-one")
        else:
            minutes = max(1, round(overview.due * _SECONDS_A_CARD / 60))
            due = self.say("home.due", count=overview.due, minutes=minutes)
        week = f"{sparkline(overview.stats.last_7_days)}  {self.say('home.week')}"
        return self._headed("home.today", sides(due, week, width))

    def _question(self, overview: Overview | None, width: int) -> Content:
        if overview is None:
            return self._headed("home.question", self.say("home.loading"))
        question = overview.question
        if question is None:
            return self._headed("home.question", self.say("home.no-questions"))
        about = f"{question.topic} · {self.say('app.level', level=question.level)}"
        if overview.answered_today:
            about += f" · {self.say('home.question-done')}"
        else:
            about += f" · enter {self.label_for('home.go')}"
        return self._headed("home.question", prose(self.tr(question.prompt)), Content(about).stylize("dim"))

    def label_for(self, binding_id: str | None) -> str | None:
        if binding_id == "home.go":
            from interview_coach.tui.strings import KEYS

            return KEYS["home.go"][0].get(self.language)
        return None

    def _results(self, overview: Overview | None, width: int) -> Content:
        grades = overview.stats.last_grades[:3] if overview else ()
        if not grades:
            return self._headed("home.results", self.say("home.no-results" if overview else "home.loading"))
        return self._headed("home.results", *(self._grade(event, width) for event in grades))

    def _grade(self, event: Event, width: int) -> str:
        mark = {"pass": "✓", "fail": "✗"}.get(event.data.get("verdict", ""), "·")
        name = str(event.data.get("file", "")).replace("\\", "/").rsplit("/", 1)[-1]
        said = event.data.get("headline", "")
        headline = said.get(self.language, "") if isinstance(said, dict) else said
        what = f"{mark} {name}   {headline}".splitlines()[0]
        return sides(what, ago(event.at, self.services.now(), self.language), width)

    def _weakest(self, overview: Overview | None, width: int) -> Content:
        weakest = overview.stats.weakest[:4] if overview else ()
        if not weakest:
            return self._headed("home.weakest", self.say("home.no-weakest" if overview else "home.loading"))
        cells = [f"{fit(topic, 18)} {share_bar(share)} {round(share * 100):3d} %" for topic, share in weakest]
        columns = max(1, min(2, (width + 2) // 37))
        rows = [cells[first : first + columns] for first in range(0, len(cells), columns)]
        return self._headed("home.weakest", *("  ".join(row) for row in rows))

    # --- actions ---

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "answer":
            return self._overview is not None and self._overview.question is not None
        return action != "back"

    def action_answer(self) -> None:
        """Drill, the question of the day first."""
        if self._overview and self._overview.question:
            self.coach.open("drill", first=self._overview.question.id)
