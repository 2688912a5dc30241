"""What the home screen tells about the last days."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Protocol

from interview_coach.store import Event, Store


class Bank(Protocol):
    """What is needed of a bank: its questions, each with a ``topic`` and ``key_points``."""

    @property
    def questions(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Stats:
    """Attributes:
    last_7_days: things done on each day, the oldest first, today last.
    streak: days in a row, up to today (or yesterday, when today is still empty).
    weakest: (topic, share right 0..1), the weakest first.
    answered: answers ever given.
    practised: questions answered or rated at least once.
    last_grades: the latest ``graded`` events, the newest first.
    """

    last_7_days: tuple[int, ...]
    streak: int
    weakest: tuple[tuple[str, float], ...]
    answered: int
    practised: int
    last_grades: tuple[Event, ...]


def stats(store: Store, bank: Bank, now: datetime, *, tz: tzinfo | None = None) -> Stats:
    raise NotImplementedError
