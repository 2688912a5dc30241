from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from interview_coach.review import Reviewer, Stats, stats
from interview_coach.review.statistics import _WITHIN
from interview_coach.store import Store

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@dataclass
class Bank:
    questions: dict[str, Any] = field(default_factory=dict)


def _question(topic: str, *points: str) -> SimpleNamespace:
    return SimpleNamespace(topic=topic, key_points=[SimpleNamespace(id=point) for point in points])


BANK = Bank(
    {
        "mask-1": _question("masks", "x", "y"),
        "mask-2": _question("masks", "x", "y", "z", "w"),
        "flash": _question("flash", "x", "y", "z", "w", "v"),
        "fp16": _question("numerics", "x"),
    }
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "coach.db") as store:
        yield store


def answer(store: Store, question: str, at: datetime, *ticked: str) -> None:
    store.append("answered", {"question": question, "text": "t", "ticked": list(ticked)}, at)


def test_an_empty_store_has_empty_statistics(store: Store) -> None:
    assert stats(store, BANK, NOW, tz=UTC) == Stats((0,) * 7, 0, (), 0, 0, ())


def test_a_day_counts_questions_practised_and_files_graded(store: Store) -> None:
    answer(store, "mask-1", NOW)
    store.append("rated", {"question": "mask-1", "rating": 3}, NOW)
    answer(store, "mask-1", NOW)
    answer(store, "flash", NOW)
    store.append("graded", {"file": "a.py"}, NOW)
    store.append("graded", {"file": "a.py"}, NOW)
    answer(store, "flash", NOW - 6 * DAY)
    answer(store, "flash", NOW - 7 * DAY)
    store.append("undone", {"event": "x"}, NOW - 2 * DAY)
    found = stats(store, BANK, NOW, tz=UTC)
    assert found.last_7_days == (1, 0, 0, 0, 0, 0, 4)
    assert (found.answered, found.practised) == (5, 2)


def test_a_streak_counts_days_of_the_user_that_turn_at_four(store: Store) -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    for local in ("2026-03-01T09:00", "2026-03-03T03:59", "2026-03-03T04:00", "2026-03-04T05:00"):
        answer(store, "flash", datetime.fromisoformat(local).replace(tzinfo=tokyo))
    now = datetime(2026, 3, 4, 23, tzinfo=tokyo)
    assert stats(store, BANK, now, tz=tokyo).streak == 4
    assert stats(store, BANK, now, tz=tokyo).last_7_days == (0, 0, 0, 1, 1, 1, 1)
    assert stats(store, BANK, now + DAY, tz=tokyo).streak == 4
    assert stats(store, BANK, now + 2 * DAY, tz=tokyo).streak == 0
    assert stats(store, BANK, now, tz=UTC).streak == 2


def test_topics_are_weighed_by_the_last_answer_and_the_last_rating(store: Store) -> None:
    answer(store, "mask-1", NOW, "x", "y")
    answer(store, "mask-1", NOW + DAY, "x", "gone-from-the-bank")  # 1/2
    answer(store, "mask-2", NOW)  # 0
    answer(store, "flash", NOW, "x")  # 1/5, and rated good: (0.2 + 1) / 2
    answer(store, "gone", NOW)
    now = NOW
    review = Reviewer(store, list(BANK.questions), clock=lambda: now, tz=UTC)
    review.rate("flash", 3)
    review.rate("fp16", 2)  # 1/2
    found = stats(store, BANK, NOW, tz=UTC)
    assert found.weakest == (("masks", 0.25), ("numerics", 0.5), ("flash", 0.6))
    assert found.weak_topics == ("masks", "numerics")
    review.undo()
    assert stats(store, BANK, NOW, tz=UTC).weakest == (("masks", 0.25), ("flash", 0.6))


def test_the_last_grades_come_newest_first(store: Store) -> None:
    for number in range(7):
        store.append("graded", {"file": f"{number}.py"}, NOW)
    assert [event.data["file"] for event in stats(store, BANK, NOW).last_grades] == [f"{n}.py" for n in (6, 5, 4, 3, 2)]


def test_a_day_is_read_by_time_and_not_by_kind(store: Store) -> None:
    """By kind, 100,000 events cost seconds: every one is read for each day."""
    plans = store.read(f"EXPLAIN QUERY PLAN SELECT 1 FROM events WHERE {_WITHIN} LIMIT 1", "2026-03-01", "2026-03-02")
    assert all("events_by_time (at>? AND at<?)" in plan[3] for plan in plans)
