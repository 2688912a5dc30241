"""What the home screen tells: the last days, the weak spots, the last grades."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Protocol

from interview_coach.records import record
from interview_coach.review.days import day_of, start_of
from interview_coach.review.projection import catch_up
from interview_coach.review.ratings import AGAIN, EASY, GOOD, HARD
from interview_coach.store import Event, Store
from interview_coach.store.event import to_stamp

_RIGHT = {AGAIN: 0.0, HARD: 0.5, GOOD: 1.0, EASY: 1.0}
# Below this share right a topic is worth drilling before new questions.
_WEAK = 0.6
_DAYS = 7
_GRADES = 5
# The plus keeps SQLite off the index by kind, which would read every event of those kinds for each day.
_WITHIN = "at >= ? AND at < ? AND +kind IN ('answered', 'rated', 'graded')"


class Bank(Protocol):
    """What is needed of a bank: its questions, each with a ``topic`` and ``key_points``."""

    @property
    def questions(self) -> Mapping[str, Any]: ...


@record
class Stats:
    """The user's work at a glance.

    Attributes:
        last_7_days: questions practised and files graded on each day, the oldest first, today last.
        streak: days in a row with anything done, up to today (up to yesterday while today is empty).
        weakest: (topic, share right, 0 to 1) of each topic practised, the weakest first.
        answered: answers ever given.
        practised: questions answered or rated at least once.
        last_grades: the last ``graded`` events, the newest first, five at most.
    """

    last_7_days: tuple[int, ...]
    streak: int
    weakest: tuple[tuple[str, float], ...]
    answered: int
    practised: int
    last_grades: tuple[Event, ...]

    @property
    def weak_topics(self) -> tuple[str, ...]:
        """The topics with less than 60 % right, the weakest first: what a drill takes before new questions."""
        return tuple(topic for topic, share in self.weakest if share < _WEAK)


def stats(store: Store, bank: Bank, now: datetime, *, tz: tzinfo | None = None) -> Stats:
    """The statistics as of ``now``, in the user's zone ``tz`` (default: the system's)."""
    catch_up(store)
    today = day_of(now, tz)
    answered, practised = store.read("SELECT coalesce(sum(answers), 0), count(*) FROM progress")[0]
    return Stats(
        last_7_days=tuple(_done(store, today - timedelta(days=ago), tz) for ago in reversed(range(_DAYS))),
        streak=_streak(store, today, tz),
        weakest=_weakest(store, bank),
        answered=answered,
        practised=practised,
        last_grades=tuple(store.latest("graded", _GRADES)),
    )


def _bounds(day: date, tz: tzinfo | None) -> tuple[str, str]:
    return to_stamp(start_of(day, tz)), to_stamp(start_of(day + timedelta(days=1), tz))


def _done(store: Store, day: date, tz: tzinfo | None) -> int:
    """A question answered and then rated, or rated twice, counts once."""
    sql = f"SELECT count(DISTINCT question) + count(CASE kind WHEN 'graded' THEN 1 END) FROM events WHERE {_WITHIN}"
    return int(store.read(sql, *_bounds(day, tz))[0][0])


def _streak(store: Store, today: date, tz: tzinfo | None) -> int:
    def active(day: date) -> bool:
        return bool(store.read(f"SELECT 1 FROM events WHERE {_WITHIN} LIMIT 1", *_bounds(day, tz)))

    day = today if active(today) else today - timedelta(days=1)
    length = 0
    while active(day):
        length += 1
        day -= timedelta(days=1)
    return length


def _weakest(store: Store, bank: Bank) -> tuple[tuple[str, float], ...]:
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for question_id, answers, ticked, rating in store.read(
        "SELECT question, answers, ticked, last_rating FROM progress"
    ):
        question = bank.questions.get(question_id)
        if question is None:
            continue
        points = {point.id for point in question.key_points}
        seen = []
        if answers and points:
            seen.append(len(points.intersection(json.loads(ticked))) / len(points))
        if rating is not None:
            seen.append(_RIGHT[rating])
        if seen:
            shares[question.topic].append(sum(seen) / len(seen))
    means = ((topic, sum(values) / len(values)) for topic, values in shares.items())
    return tuple(sorted(means, key=lambda entry: (entry[1], entry[0])))
