"""What a drill came to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from interview_coach.records import record
from interview_coach.text import Language

Outcome = Literal["submitted", "time", "skipped"]
_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD = re.compile(r"[^\W_]+(?:['’_.^-][^\W_]+)*")


@dataclass(slots=True)
class Answer:
    """An answer as it was taken.

    Attributes:
        question: its id.
        text: as it stood.
        seconds: spent answering, without pauses and without thinking.
        outcome: ``submitted`` by the user, taken when the ``time`` was up, or ``skipped``.
        ticked: ids of the key points that count as said, by the marker or by the user.
    """

    question: str
    text: str
    seconds: float
    outcome: Outcome
    ticked: list[str] = field(default_factory=list)

    @property
    def is_given(self) -> bool:
        """Whether anything was said."""
        return self.outcome != "skipped" and bool(self.text.strip())


def count(text: str, language: Language) -> int:
    """The length of a text: words for English, characters for Chinese; the other language's are not counted."""
    if language == "zh":
        return len(_CHINESE.findall(text))
    return len(_WORD.findall(_CHINESE.sub(" ", text)))


def pace(answers: Iterable[Answer], language: Language) -> float | None:
    """Words (English) or characters (Chinese) a minute, over the answers given in that language.

    Returns:
        ``None`` where there are none, or no time was spent on them.
    """
    spoken = [answer for answer in answers if answer.is_given and language_of(answer.text) == language]
    length = sum(count(answer.text, language) for answer in spoken)
    seconds = sum(answer.seconds for answer in spoken)
    return 60 * length / seconds if length and seconds > 0 else None


def language_of(text: str) -> Language:
    """The language that a text is mainly in: formulas and terms in Latin letters do not make a text English."""
    return "zh" if count(text, "zh") > count(text, "en") else "en"


@record
class Summary:
    """A drill at its end, or so far.

    Attributes:
        answered: questions answered with at least a word.
        skipped: questions passed over, or left without a word.
        seconds: spent answering, in all.
        words_per_minute: of the English answers; ``None`` where there are none.
        characters_per_minute: of the Chinese answers; ``None`` where there are none.
        ticked: key points said, in all.
    """

    answered: int
    skipped: int
    seconds: float
    words_per_minute: float | None
    characters_per_minute: float | None
    ticked: int


def summarise(answers: Iterable[Answer]) -> Summary:
    """The summary of some answers."""
    taken = list(answers)
    given = sum(answer.is_given for answer in taken)
    return Summary(
        answered=given,
        skipped=len(taken) - given,
        seconds=sum(answer.seconds for answer in taken),
        words_per_minute=pace(taken, "en"),
        characters_per_minute=pace(taken, "zh"),
        ticked=sum(len(answer.ticked) for answer in taken),
    )
