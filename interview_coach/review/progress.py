"""How far the user is with one question: a fold over the events about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from interview_coach.review.ratings import AGAIN, RATING_NAMES
from interview_coach.store import Event


@dataclass(slots=True)
class Progress:
    """What the events about a question come to so far; `apply` moves it on.

    Attributes:
        question: its id.
        seen: when the last event happened.
        state: of the card, as FSRS numbers them: 1 learning, 2 review, 3 relearning; ``None`` when never rated.
        step: of (re)learning; ``None`` in review.
        stability: days until recall falls to 90 %.
        difficulty: 1 to 10.
        due: when the card comes next, UTC.
        last_review: UTC.
        first_review: UTC.
        last_rating: 1 to 4.
        repetitions: ratings so far.
        lapses: times forgotten once learnt.
        answers: answers given.
        last_answer: uuid of the last ``answered`` event.
        ticked: key points that count as said in the last answer: marked so, or flipped.
    """

    question: str
    seen: datetime
    state: int | None = None
    step: int | None = None
    stability: float | None = None
    difficulty: float | None = None
    due: datetime | None = None
    last_review: datetime | None = None
    first_review: datetime | None = None
    last_rating: int | None = None
    repetitions: int = 0
    lapses: int = 0
    answers: int = 0
    last_answer: str | None = None
    ticked: tuple[str, ...] = ()


def is_rating(value: object) -> bool:
    """Whether ``value`` is one of the four ratings."""
    return isinstance(value, int) and not isinstance(value, bool) and value in RATING_NAMES


def _rated(progress: Progress, event: Event) -> None:
    from interview_coach.review.schedule import next_card

    rating = event.data.get("rating")
    if not is_rating(rating):
        return
    assert isinstance(rating, int)
    progress.lapses += rating == AGAIN and progress.state == 2
    card = next_card(progress, rating, event.at)
    progress.state, progress.step = card.state, card.step
    progress.stability, progress.difficulty = card.stability, card.difficulty
    progress.due = card.due
    progress.last_review = event.at
    progress.first_review = progress.first_review or event.at
    progress.last_rating = rating
    progress.repetitions += 1


def _answered(progress: Progress, event: Event) -> None:
    progress.answers += 1
    progress.last_answer = event.uuid
    progress.ticked = _ids(event.data.get("ticked"))


def _ticked(progress: Progress, event: Event) -> None:
    if event.data.get("event") == progress.last_answer:
        progress.ticked = _ids(event.data.get("ticked"))


def _flipped(progress: Progress, event: Event) -> None:
    point = event.data.get("point")
    if event.data.get("event") == progress.last_answer and isinstance(point, str):
        others = tuple(each for each in progress.ticked if each != point)
        progress.ticked = (*others, point) if event.data.get("to") == "hit" else others


def _ids(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


_STEPS: Mapping[str, Callable[[Progress, Event], None]] = {
    "rated": _rated,
    "answered": _answered,
    "ticked": _ticked,
    "flipped": _flipped,
}
FOLDED_KINDS = tuple(_STEPS)


def question_of(event: Event) -> str | None:
    """The question that an event moves, ``None`` where it moves none."""
    question = event.data.get("question")
    return question if event.kind in _STEPS and isinstance(question, str) else None


def apply(progress: Progress | None, event: Event) -> Progress:
    """Moves the progress on by one event that moves its question and is not older than those before.

    Returns:
        the same progress, or a new one where there was none.
    """
    question = question_of(event)
    assert question is not None
    progress = progress or Progress(question, event.at)
    _STEPS[event.kind](progress, event)
    progress.seen = event.at
    return progress


def fold(events: Iterable[Event]) -> Progress | None:
    """The progress after all events of one question, in the order of time; ``None`` where none moves it."""
    progress = None
    for event in events:
        if question_of(event) is not None:
            progress = apply(progress, event)
    return progress
