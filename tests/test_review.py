import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from interview_coach.review import RATING_NAMES, Reviewer, humanise, ratings
from interview_coach.review.days import day_of, start_of
from interview_coach.review.progress import Progress
from interview_coach.review.projection import catch_up, progress_of
from interview_coach.review.schedule import _fuzzed, next_card
from interview_coach.store import Store

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


class Clock:
    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "coach.db") as store:
        yield store


def reviewer(store: Store, clock: Clock, ids: str = "abc", **options: Any) -> Reviewer:
    return Reviewer(store, list(ids), clock=clock, **{"tz": UTC} | options)


def test_new_cards_come_in_the_order_of_the_bank_and_so_many_a_day(store: Store, clock: Clock) -> None:
    review = reviewer(store, clock, "cabd", new_per_day=2)
    assert review.due() == ["c", "a"]
    review.rate("c", 4)
    assert review.due() == ["a"]
    review.rate("a", 4)
    assert (review.due(), review.upcoming) == ([], 0)
    clock.now += DAY
    assert review.due() == ["b", "d"]
    assert reviewer(store, clock, "cabd", new_per_day=0).due() == []


def test_learning_goes_by_minutes(store: Store, clock: Clock) -> None:
    review = reviewer(store, clock)
    assert review.rate("a", 3) == 10 * MINUTE
    assert (review.due(), review.upcoming) == (["b", "c"], 1)
    assert review.next_due() == NOON + 10 * MINUTE
    clock.now += 10 * MINUTE
    assert review.due() == ["a", "b", "c"]
    assert review.rate("a", 3) == 2 * DAY
    assert review.due() == ["b", "c"]


def test_with_nothing_else_to_do_a_card_in_learning_comes_early(store: Store, clock: Clock) -> None:
    review = reviewer(store, clock, "a")
    review.rate("a", 3)
    assert (review.due(), review.upcoming) == (["a"], 0)
    other = reviewer(store, clock, "ab")
    assert (other.due(), other.upcoming) == (["b"], 1)


def test_reviews_are_due_on_the_users_day_the_longest_overdue_first(store: Store, clock: Clock) -> None:
    review = reviewer(store, clock, "ab", new_per_day=2)
    clock.now = datetime(2026, 3, 4, 23, tzinfo=UTC)
    review.rate("b", 3)
    clock.now += 10 * MINUTE
    assert review.rate("b", 3) == 2 * DAY
    # The card of 23:10 is due two days later from 4 in the morning on, not from 23:10.
    clock.now = datetime(2026, 3, 6, 3, 59, tzinfo=UTC)
    assert "b" not in review.due()
    clock.now = datetime(2026, 3, 6, 4, 0, tzinfo=UTC)
    assert review.queue().reviews == ("b",)
    clock.now -= 2 * DAY
    review.rate("a", 3)
    clock.now += 10 * MINUTE
    review.rate("a", 3)
    clock.now += 3 * DAY
    assert review.queue().reviews == ("a", "b")


def test_the_day_is_the_users_own(store: Store, clock: Clock) -> None:
    shanghai = ZoneInfo("Asia/Shanghai")
    review = reviewer(store, clock, "abcd", new_per_day=1, tz=shanghai)
    clock.now = datetime(2026, 3, 4, 19, 59, tzinfo=UTC)  # 03:59 in Shanghai: still the 4th
    review.rate("a", 4)
    assert review.queue().new == ()
    clock.now += MINUTE
    assert review.queue().new == ("b",)


def test_days_turn_at_four_also_when_the_clocks_change() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    assert day_of(datetime(2026, 3, 29, 3, 59, tzinfo=berlin), berlin) == date(2026, 3, 28)
    assert day_of(datetime(2026, 3, 29, 4, 0, tzinfo=berlin), berlin) == date(2026, 3, 29)
    assert start_of(date(2026, 3, 28), berlin) == datetime(2026, 3, 28, 3, tzinfo=UTC)
    assert start_of(date(2026, 3, 29), berlin) == datetime(2026, 3, 29, 2, tzinfo=UTC)
    assert day_of(start_of(date(2026, 10, 25), berlin), berlin) == date(2026, 10, 25)
    assert day_of(start_of(date(2026, 10, 25), berlin) - timedelta(seconds=1), berlin) == date(2026, 10, 24)


@pytest.mark.parametrize("history", [[], [3], [3, 3], [4], [3, 3, 1], [3, 3, 3, 3], [4, 4, 4, 2, 1, 3]])
def test_the_preview_is_what_a_rating_gives(tmp_path: Path, history: list[int]) -> None:
    for rating in RATING_NAMES:
        clock = Clock()
        with Store.open(tmp_path / f"{rating}.db") as store:
            review = reviewer(store, clock)
            for before in history:
                clock.now += max(review.rate("a", before), MINUTE)
            preview = review.preview("a")
            assert list(preview) == [1, 2, 3, 4]
            assert preview[1] < preview[3] <= preview[4]
            assert preview[1] <= preview[2] <= preview[3]
            assert review.rate("a", rating) == preview[rating]


def test_a_first_rating_gives_the_intervals_of_fsrs(store: Store, clock: Clock) -> None:
    assert reviewer(store, clock).preview("a") == {
        1: MINUTE,
        2: 5.5 * MINUTE,
        3: 10 * MINUTE,
        4: timedelta(days=_fuzzed(8, "a:0")),
    }


def test_a_fold_does_not_touch_or_need_the_global_random_state(store: Store, clock: Clock) -> None:
    review = reviewer(store, clock)
    random.seed(1)
    state = random.getstate()
    first = review.preview("a")
    random.seed(2)
    assert review.preview("a") == first
    random.seed(1)
    assert random.getstate() == state


def test_the_fuzz_is_seeded_by_card_and_repetition_and_stays_in_its_range() -> None:
    assert [_fuzzed(days, "a:0") for days in (1, 2)] == [1, 2]
    spread = {_fuzzed(10, f"{card}:{repetition}") for card in "abcdefgh" for repetition in range(20)}
    assert spread == {8, 9, 10, 11, 12}  # 10 days: 1 + 0.15 * 4.5 + 0.1 * 3 = 1.975 days either way
    card = Progress("a", NOON, 2, None, 50.0, 5.0, NOON, NOON - 50 * DAY)
    dues = {}
    for question, repetitions in product("abc", range(20)):
        dues[question, repetitions] = next_card(replace(card, question=question, repetitions=repetitions), 3, NOON).due
    assert len({dues["a", repetitions] for repetitions in range(20)}) > 5
    assert len({dues[question, 0] for question in "abc"}) > 1
    assert next_card(card, 3, NOON).due == dues["a", 0]
    assert _fuzzed(36_500, "a:0") <= 36_500
    code = "from interview_coach.review.schedule import _fuzzed; print(_fuzzed(100, 'a:0'))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(other.stdout) == _fuzzed(100, "a:0")


def test_undo_takes_back_one_rating_after_the_other_also_after_a_restart(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / "other.db"
    with Store.open(path) as store:
        review = reviewer(store, clock)
        review.rate("a", 3)
        after_one = progress_of(store, "a")
        clock.now += 10 * MINUTE
        review.rate("a", 1)
        review.rate("b", 4)
    with Store.open(path) as store:
        review = reviewer(store, clock)
        assert review.undo() == "b"
        assert progress_of(store, "b") is None
        assert review.due() == ["b", "c"] or review.due() == ["a", "b", "c"]
        assert review.undo() == "a"
        assert progress_of(store, "a") == after_one
        assert review.undo() == "a"
        assert review.undo() is None
        assert review.due() == ["a", "b", "c"]
        assert [event.kind for event in store.events()] == ["rated"] * 3 + ["undone"] * 3
        rated = {event.uuid: event.data["question"] for event in store.events("rated")}
        assert [rated[event.data["event"]] for event in store.events("undone")] == ["b", "a", "a"]
        review.rate("a", 3)
        assert progress_of(store, "a") is not None
        assert review.undo() == "a"


def test_a_card_that_left_the_bank_is_not_shown_and_keeps_its_history(store: Store, clock: Clock) -> None:
    reviewer(store, clock, "ab").rate("a", 3)
    clock.now += DAY
    without = reviewer(store, clock, "b")
    assert (without.due(), without.next_due()) == (["b"], None)
    assert reviewer(store, clock, "ab").due() == ["a", "b"]


def test_the_last_rating_and_the_lapses_are_counted(store: Store, clock: Clock) -> None:
    review = reviewer(store, clock)
    review.rate("a", 1)
    review.rate("a", 4)
    clock.now += 10 * DAY
    review.rate("a", 1)
    progress = progress_of(store, "a")
    assert progress is not None
    assert (progress.repetitions, progress.lapses, progress.last_rating, progress.first_review) == (3, 1, 1, NOON)


def test_a_rating_that_does_not_exist_is_refused_and_a_foreign_one_is_passed_over(store: Store, clock: Clock) -> None:
    review = reviewer(store, clock)
    for rating in (0, 5, True, 2.5, "3"):
        with pytest.raises(ValueError, match="1, 2, 3 or 4"):
            review.rate("a", rating)  # type: ignore[arg-type]
    for data in ({"question": "a", "rating": 9}, {"question": 7, "rating": 3}, {"rating": 3}, {"question": "a"}):
        store.append("rated", data, NOON)
    store.append("undone", {"event": ["x"]}, NOON)
    store.append("undone", {"event": "unknown"}, NOON)
    store.append("of a later program", {"question": "a"}, NOON)
    assert review.due() == ["a", "b", "c"]


def test_a_clock_that_was_set_back_folds_in_the_order_of_time(store: Store, clock: Clock) -> None:
    review = reviewer(store, clock)
    review.rate("a", 4)
    clock.now -= DAY
    review.rate("a", 1)
    progress = progress_of(store, "a")
    assert progress is not None
    assert progress.last_rating == 4
    assert (progress.first_review, progress.last_review) == (NOON - DAY, NOON)


def test_two_open_stores_see_each_others_ratings(store: Store, clock: Clock) -> None:
    here = reviewer(store, clock)
    with Store.open(store.path) as other:
        there = reviewer(other, clock)
        assert there.due() == ["a", "b", "c"]
        here.rate("a", 4)
        assert there.due() == ["b", "c"]
        there.rate("b", 4)
        assert here.due() == ["c"]
        assert here.undo() == "b"
        assert there.due() == ["b", "c"]


def test_today_is_read_without_loading_fsrs(store: Store, clock: Clock) -> None:
    reviewer(store, clock).rate("a", 3)
    assert catch_up(store) == 0
    code = (
        "import sys; from pathlib import Path; from interview_coach.store import Store; "
        "from interview_coach.review import Reviewer; "
        "print(Reviewer(Store.open(Path(sys.argv[1])), 'ab').due(), 'fsrs' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code, str(store.path)], capture_output=True, text=True, check=True)
    assert run.stdout == "['a', 'b'] False\n"


@pytest.mark.parametrize(
    ("interval", "en", "zh"),
    [
        (timedelta(0), "<1 min", "<1 分钟"),
        (timedelta(seconds=59), "<1 min", "<1 分钟"),
        (timedelta(minutes=1), "1 min", "1 分钟"),
        (timedelta(minutes=5.5), "6 min", "6 分钟"),
        (timedelta(minutes=10), "10 min", "10 分钟"),
        (timedelta(minutes=59.6), "1 h", "1 小时"),
        (timedelta(hours=23), "23 h", "23 小时"),
        (timedelta(hours=23.9), "1 d", "1 天"),
        (timedelta(days=3), "3 d", "3 天"),
        (timedelta(days=29), "29 d", "29 天"),
        (timedelta(days=30), "1 mo", "1 个月"),
        (timedelta(days=61), "2 mo", "2 个月"),
        (timedelta(days=360), "1 y", "1 年"),
        (timedelta(days=548), "1.5 y", "1.5 年"),
        (timedelta(days=36_500), "100 y", "100 年"),
    ],
)
def test_intervals_are_short_in_both_languages(interval: timedelta, en: str, zh: str) -> None:
    assert (humanise(interval, "en"), humanise(interval, "zh")) == (en, zh)


def test_two_keys_or_four() -> None:
    assert ratings(False) == (1, 3)
    assert ratings(True) == (1, 2, 3, 4)
    assert [RATING_NAMES[rating].en for rating in ratings(False)] == ["again", "good"]
