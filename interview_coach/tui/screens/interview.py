"""An interview: each answer is followed by up to three follow-ups about what was wrong or missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from interview_coach.tui.bindings import bind
from interview_coach.tui.screens.drill import DrillScreen

if TYPE_CHECKING:
    from interview_coach.bank.model import Question
    from interview_coach.drill import Answer
    from interview_coach.drill.marked import MarkedAnswer


class InterviewScreen(DrillScreen):
    """A drill that asks on."""

    NAME = "interview"
    BINDINGS: ClassVar[list[BindingType]] = [bind("interview.write", "w", "write")]

    def __init__(self, topic: str | None = None, first: str | None = None) -> None:
        super().__init__(topic, first)
        self._asked_on: dict[str, Question] = {}
        self._exchange: list[MarkedAnswer] = []

    def find(self, question_id: str) -> Question | None:
        return self._asked_on.get(question_id) or super().find(question_id)

    def keep_answer(self, answer: Answer) -> None:
        from interview_coach.drill.interview import follow_ups, is_follow_up

        super().keep_answer(answer)
        marked = self._records.marked
        if answer.outcome == "skipped" or marked is None:
            return
        self._exchange.append(marked)
        if not is_follow_up(answer.question):
            head = self.services.bank.heads[answer.question]
            asked = follow_ups(marked)
            self._asked_on.update({question.id: question for question in asked})
            self.drill.ask_next([head._replace(id=question.id) for question in asked])

    def where(self) -> list[str]:
        from interview_coach.drill.interview import is_follow_up

        question = self.drill.question
        if question is None or not is_follow_up(question.id):
            return super().where()
        return [*super().where()[:2], self.say("interview.follow-up", number=question.id.partition("/")[2])]

    def rated_question(self) -> str | None:
        from interview_coach.drill.interview import is_follow_up

        rated = super().rated_question()
        return None if rated is None or is_follow_up(rated) else rated

    def help_topic(self) -> str:
        return "help.interview" if self.phase == "finished" else super().help_topic()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "write":
            return bool(self._exchange) and self.phase in ("revealed", "finished")
        return super().check_action(action, parameters)

    def action_write(self) -> None:
        """Write the exchange as Markdown into the working directory, never over a file."""
        from interview_coach.drill.interview import transcript

        now = self.services.now().astimezone()
        path = self.services.folder / f"interview-{now:%Y-%m-%d-%H%M%S}.md"
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(transcript(self._exchange, now, self.language))
        except OSError as error:
            self.coach.complain("app.not-saved", error)
            return
        self.coach.message("interview.written", path=path.name)
