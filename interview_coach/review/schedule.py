"""FSRS: when a card comes again."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from interview_coach.review.progress import Progress

if TYPE_CHECKING:
    from fsrs import Scheduler

# FSRS spreads intervals from 2.5 days on: by a day, and by this share of what lies in each range of days.
_FUZZ: tuple[tuple[float, float, float], ...] = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.1), (20.0, float("inf"), 0.05))
_MAXIMUM_DAYS = 36_500


@cache
def _scheduler() -> Scheduler:
    from fsrs import Scheduler

    # Its own fuzz draws from the global random state: a fold over the log would come out differently each time.
    return Scheduler(enable_fuzzing=False, maximum_interval=_MAXIMUM_DAYS)


class NextCard(NamedTuple):
    """A card after a rating; the fields are those of `Progress`."""

    state: int
    step: int | None
    stability: float | None
    difficulty: float | None
    due: datetime


def next_card(progress: Progress, rating: int, at: datetime) -> NextCard:
    """What ``rating`` (1 to 4) at the time ``at`` makes of a card: the same for the same history."""
    from fsrs import Card, Rating, State

    at = at.astimezone(UTC)
    card = Card(
        card_id=0,  # else the constructor sleeps for a millisecond to make one up
        state=State(progress.state or State.Learning),
        step=progress.step,
        stability=progress.stability,
        difficulty=progress.difficulty,
        due=progress.due or at,
        last_review=progress.last_review,
    )
    card, _ = _scheduler().review_card(card, Rating(rating), at)
    interval = card.due - at
    if card.state == State.Review:
        interval = timedelta(days=_fuzzed(interval.days, f"{progress.question}:{progress.repetitions}"))
    return NextCard(int(card.state), card.step, card.stability, card.difficulty, at + interval)


def _fuzzed(days: int, seed: str) -> int:
    """An interval spread as FSRS spreads it, so that cards learnt together do not stay together.

    Args:
        days: the interval before.
        seed: of card and repetition; it alone decides where in the range the interval falls.
    """
    if days < _FUZZ[0][0]:
        return days
    spread = 1.0 + sum(share * max(min(days, end) - start, 0.0) for start, end, share in _FUZZ)
    low, high = max(2, round(days - spread)), min(round(days + spread), _MAXIMUM_DAYS)
    # A text seeds by its hash (SHA-512), not by `hash()`: the same in each process.
    return min(low, high) + int(random.Random(seed).random() * (high - min(low, high) + 1))
