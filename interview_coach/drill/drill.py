"""The clock and the answers of a drill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from interview_coach.text import Language

Phase = Literal["thinking", "answering", "paused", "revealed", "finished"]
Outcome = Literal["submitted", "time", "skipped"]


class HasId(Protocol):
    """All that is needed of a question."""

    @property
    def id(self) -> str: ...


Q = TypeVar("Q", bound=HasId)


@dataclass(slots=True)
class Answer:
    """An answer as it was taken.

    Attributes:
        question: its id.
        text: as it stood.
        seconds: spent answering, without pauses and without thinking.
        outcome: ``submitted`` by the user, taken when the ``time`` was up, or ``skipped``.
        ticked: ids of the key points ticked after the reveal.
    """

    question: str
    text: str
    seconds: float
    outcome: Outcome
    ticked: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Summary:
    """Attributes:
    answered: answers with a text.
    skipped: questions passed over, or left without a word.
    seconds: spent answering, in all.
    words_per_minute: of the Latin words in the answers; ``None`` when there are none.
    characters_per_minute: of the Chinese characters in them; ``None`` when there are none.
    ticked: key points ticked, in all.
    """

    answered: int
    skipped: int
    seconds: float
    words_per_minute: float | None
    characters_per_minute: float | None
    ticked: int


class Drill(Generic[Q]):
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
        self.phase: Phase = "thinking"
        self.text = ""
        self.index = 0
        self.answers: list[Answer] = []

    @property
    def question(self) -> Q | None:
        raise NotImplementedError

    @property
    def remaining(self) -> float:
        """Seconds left in the phase."""
        raise NotImplementedError

    @property
    def elapsed(self) -> float:
        """Seconds spent in the phase."""
        raise NotImplementedError

    def tick(self, text: str | None = None) -> Phase:
        raise NotImplementedError

    def change(self, text: str) -> None:
        raise NotImplementedError

    def start_answer(self) -> None: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def submit(self, text: str | None = None) -> None: ...

    def toggle_point(self, point_id: str) -> bool:
        raise NotImplementedError

    def skip(self) -> None: ...

    def next(self) -> None: ...

    def finish(self) -> Summary:
        raise NotImplementedError

    def summary(self, language: Language | None = None) -> Summary:
        raise NotImplementedError
