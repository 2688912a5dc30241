"""What a drill writes down, at once: drafts, answers with their verdicts, flips. What cannot be saved is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interview_coach.bank.model import Question
    from interview_coach.drill import Answer
    from interview_coach.drill.marked import MarkedAnswer
    from interview_coach.text import Language
    from interview_coach.tui.services import Services

Complain = Callable[[str, Exception], None]


class Records:
    """The records of one drill.

    Args:
        services: Store, bank and clock.
        complain: Told the key of a text, and what went wrong.

    Attributes:
        marked: The answer given last; None before the first.
    """

    def __init__(self, services: Services, complain: Complain) -> None:
        self._services, self._complain = services, complain
        self._event: str | None = None
        self._resumed: set[str] = set()
        self.marked: MarkedAnswer | None = None

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self._complain("app.not-saved", error)

    def draft(self, question_id: str) -> str:
        """What was typed before and not handed in; empty where nothing was."""
        with self._told():
            text = self._services.store.draft(question_id)
            if text:
                self._resumed.add(question_id)
                return text
        return ""

    def keep_draft(self, question_id: str, text: str) -> None:
        """Save what is typed so far."""
        with self._told():
            self._services.store.save_draft(question_id, text)

    def keep_answer(self, question: Question, answer: Answer, language: Language) -> None:
        """Mark an answer and save it."""
        from interview_coach.drill.interview import asked_first, is_follow_up
        from interview_coach.drill.marked import MarkedAnswer

        self._event = None
        # An answer that was begun earlier took longer than the clock of this drill saw.
        seconds = 0.0 if question.id in self._resumed else answer.seconds
        self.marked = MarkedAnswer(question, answer.text, seconds)
        answer.ticked[:] = self.marked.hits
        with self._told():
            data = {
                "question": asked_first(answer.question),
                "text": answer.text,
                "language": language,
                "seconds": round(answer.seconds, 1),
                "ticked": list(answer.ticked),
                "source": "drill",
            }
            kind = "answered"
            if is_follow_up(answer.question):
                kind, data["prompt"] = "followed-up", question.prompt.get(language)
            self._event = self._services.store.append(kind, data, self._services.now()).uuid
            self._services.store.clear_draft(answer.question)
        self._resumed.discard(question.id)
        if self.marked.error is not None:
            self._complain("drill.not-marked", self.marked.error)

    def flip(self, point_id: str, answer: Answer) -> None:
        """Flip a verdict on the answer given last, and save that as a label."""
        from interview_coach.drill.interview import asked_first

        if self.marked is None:
            return
        flip = self.marked.flip(point_id)
        answer.ticked[:] = self.marked.hits
        if self._event is not None:
            with self._told():
                self._services.record(
                    "flipped",
                    question=asked_first(self.marked.question.id),
                    event=self._event,
                    point=flip.point,
                    **{"from": flip.before, "to": flip.after},
                )
