"""The clock and the phases of a drill.

``thinking`` → ``answering`` → ``revealed`` → the next question or ``finished``; ``paused`` from either timed phase and
back. Whoever draws it calls `tick` a few times a second and looks at `Drill.phase` after each call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Literal, Protocol, TypeVar

from interview_coach.drill.summary import Answer, Outcome, Summary, summarise

Phase = Literal["thinking", "answering", "paused", "revealed", "finished"]
_TimedPhase = Literal["thinking", "answering"]


class HasId(Protocol):
    """All that is needed of a question."""

    @property
    def id(self) -> str: ...


Q = TypeVar("Q", bound=HasId)


class Drill(Generic[Q]):
    """A session over some questions.

    Calls that make no sense in the phase do nothing: a key that comes late does no harm.

    Args:
        questions: in the order to ask them; none means finished at once.
        clock: seconds, never going back (`time.monotonic`).
        think_seconds: length of the think phase; 0 goes straight to the answer.
        answer_seconds: length of the answer phase.
        on_draft: called with the question's id and the text whenever the text changed, to keep it.
        on_answer: called once for each answer, when it is taken.

    Attributes:
        phase: where the session stands.
        text: the answer so far.
        index: of the question, from 0.
        answers: taken so far, skipped ones included.
    """

    def __init__(
        self,
        questions: Sequence[Q],
        *,
        clock: Callable[[], float],
        think_seconds: float = 10,
        answer_seconds: float = 30,
        on_draft: Callable[[str, str], None] | None = None,
        on_answer: Callable[[Answer], None] | None = None,
    ) -> None:
        if think_seconds < 0 or answer_seconds <= 0:
            raise ValueError(
                f"thinking takes 0 s or more and answering more than 0 s, got {think_seconds} and {answer_seconds}"
            )
        self.questions = tuple(questions)
        self.phase: Phase = "finished"
        self.text = ""
        self.index = 0
        self.answers: list[Answer] = []
        self._clock = clock
        self._lengths: dict[_TimedPhase, float] = {"thinking": think_seconds, "answering": answer_seconds}
        self._on_draft = on_draft
        self._on_answer = on_answer
        self._timed: _TimedPhase = "thinking"  # the phase that is running, or that a pause goes back to
        self._spent = 0.0  # in that phase, up to `_since`
        self._since = clock()
        self._ask(0)

    @property
    def question(self) -> Q | None:
        """The question asked; ``None`` once finished."""
        return self.questions[self.index] if self.phase != "finished" else None

    @property
    def answer(self) -> Answer | None:
        """The answer being looked at; ``None`` outside the reveal."""
        return self.answers[-1] if self.phase == "revealed" else None

    @property
    def timed_phase(self) -> Literal["thinking", "answering"]:
        """The phase that the clock belongs to, also in a pause and after the reveal."""
        return self._timed

    @property
    def length(self) -> float:
        """Seconds that the timed phase takes in all."""
        return self._lengths[self._timed]

    @property
    def elapsed(self) -> float:
        """Seconds spent in the timed phase, pauses left out; never more than its length."""
        running = self._clock() - self._since if self.phase == self._timed else 0.0
        return min(self._spent + max(running, 0.0), self.length)

    @property
    def remaining(self) -> float:
        """Seconds left in the timed phase."""
        return self.length - self.elapsed

    def change(self, text: str) -> None:
        """Takes the text as it is now, in any phase but the reveal: it is never lost, whatever the clock says."""
        if self.phase in ("revealed", "finished") or text == self.text:
            return
        self.text = text
        if self._on_draft is not None:
            self._on_draft(self.questions[self.index].id, text)

    def tick(self, text: str | None = None) -> Phase:
        """Lets the clock take effect: thinking goes over to answering, and at 0 the answer is taken as it stands.

        Args:
            text: the answer as it is now, where it may have changed.
        """
        if text is not None:
            self.change(text)
        if self.phase == self._timed and self.remaining <= 0:
            if self._timed == "thinking":
                self._enter("answering")
            else:
                self._take("time")
        return self.phase

    def start_answer(self) -> None:
        """Ends thinking."""
        if self.tick() == "thinking":
            self._enter("answering")

    def pause(self, text: str | None = None) -> None:
        """Stops the clock."""
        if self.tick(text) == self._timed:
            self._spent = self.elapsed
            self.phase = "paused"

    def resume(self) -> None:
        """Lets the clock run on from where it was."""
        if self.phase == "paused":
            self.phase = self._timed
            self._since = self._clock()

    def submit(self, text: str | None = None) -> None:
        """Takes the answer now. Before any answering it counts no seconds."""
        if self.tick(text) in ("thinking", "answering", "paused"):
            self._take("submitted")

    def ask_next(self, questions: Sequence[Q]) -> None:
        """Puts questions in behind the one that is asked or answered now."""
        self.questions = (*self.questions[: self.index + 1], *questions, *self.questions[self.index + 1 :])

    def skip(self, text: str | None = None) -> None:
        """Goes to the next question without an answer; what was typed stays a draft. After the reveal, as `next`."""
        if self.tick(text) in ("thinking", "answering", "paused"):
            self._record("skipped")
            self._ask(self.index + 1)
        else:
            self.next()

    def next(self) -> None:
        """Goes from the reveal to the next question, or to the end."""
        if self.phase == "revealed":
            self._ask(self.index + 1)

    def reopen(self, question_id: str) -> bool:
        """Goes back from the next question to the reveal of the last answer.

        What was typed meanwhile stays a draft.

        Args:
            question_id: of the answer.

        Returns:
            whether it was the last one, and is looked at now.
        """
        last = self.index - 1
        given = self.answers[-1] if self.answers and self.answers[-1].outcome != "skipped" else None
        if self.phase == "revealed" or given is None or not given.question == question_id == self.questions[last].id:
            return False
        self.index, self.text, self.phase = last, given.text, "revealed"
        return True

    def finish(self, text: str | None = None) -> Summary:
        """Ends the session here; what was typed stays a draft."""
        self.tick(text)
        self.phase = "finished"
        return self.summary()

    def summary(self) -> Summary:
        """The session so far."""
        return summarise(self.answers)

    def _ask(self, index: int) -> None:
        self.index = index
        self.text = ""
        if index < len(self.questions):
            self._enter("thinking" if self._lengths["thinking"] else "answering")
        else:
            self.phase = "finished"

    def _enter(self, phase: _TimedPhase) -> None:
        self.phase = self._timed = phase
        self._spent, self._since = 0.0, self._clock()

    def _take(self, outcome: Outcome) -> None:
        answer = self._record(outcome)
        self._spent, self.phase = self.elapsed, "revealed"
        if self._on_answer is not None:
            self._on_answer(answer)

    def _record(self, outcome: Outcome) -> Answer:
        seconds = self.elapsed if self._timed == "answering" else 0.0
        answer = Answer(self.questions[self.index].id, self.text, seconds, outcome)
        self.answers.append(answer)
        return answer
