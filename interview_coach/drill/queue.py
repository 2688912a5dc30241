"""Which questions to drill: due first, then weak topics, then new ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol, TypeVar


class Choosable(Protocol):
    """What is needed of a question to choose it."""

    @property
    def id(self) -> str: ...
    @property
    def topic(self) -> str: ...
    @property
    def level(self) -> int: ...
    @property
    def frequency(self) -> int: ...


Q = TypeVar("Q", bound=Choosable)


def build_queue(
    questions: Iterable[Q],
    *,
    due: Sequence[str] = (),
    weak_topics: Sequence[str] = (),
    last_practised: Mapping[str, datetime] | None = None,
    count: int | None = None,
    topic: str | None = None,
    level: int | None = None,
) -> list[Q]:
    """The questions of a session, in order, each once.

    First what is due, in that order; then practised questions of weak topics, the weakest topic first, the longest ago
    first; then new questions, the most often asked first; then the rest, the longest ago first.

    Args:
        questions: to choose from.
        due: ids of the questions that are due, the most urgent first.
        weak_topics: the weakest first.
        last_practised: when a question was last answered or rated; questions not in it are new.
        count: at most so many questions.
        topic: only questions of this topic.
        level: only questions of this level, 1 to 5.
    """
    practised = last_practised or {}
    urgency = {question_id: place for place, question_id in enumerate(due)}
    weakness = {name: place for place, name in enumerate(weak_topics)}

    def place(question: Q) -> tuple[int, float, float, int]:
        if question.id in urgency:
            return 0, urgency[question.id], 0.0, 0
        if question.id not in practised:
            return 2, -question.frequency, question.level, 0
        ago = practised[question.id].timestamp()
        if question.topic in weakness:
            return 1, weakness[question.topic], ago, 0
        return 3, ago, 0.0, 0

    wanted = {
        question.id: question
        for question in questions
        if (topic is None or question.topic == topic) and (level is None or question.level == level)
    }
    return sorted(wanted.values(), key=place)[:count]
