"""The projection, folded step by step, is what a fold over the whole log gives."""

import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interview_coach.review import rebuild
from interview_coach.review.progress import FOLDED_KINDS, Progress, fold
from interview_coach.review.projection import FOLD, catch_up, last_practised, select
from interview_coach.store import Event, Store
from interview_coach.store.event import to_stamp

START = datetime(2026, 1, 1, tzinfo=UTC)

_QUESTION = st.sampled_from(["a", "b", "c"])
_HOURS = st.one_of(st.just(0.0), st.floats(0, 1), st.floats(1, 2000), st.floats(-100, 0))
_STEP = st.tuples(
    st.sampled_from(["rated", "rated", "answered", "ticked", "flipped", "undone", "undone", "graded"]),
    _QUESTION,
    st.integers(1, 4),
    st.integers(0, 5),  # which earlier event is meant, counted from the last
    _HOURS,
    st.booleans(),  # whether the projection is brought up to date now
)


def _data(kind: str, question: str, rating: int, target: str | None) -> dict[str, Any]:
    points = ["x", "y", "z"][:rating]
    return {
        "rated": {"question": question, "rating": rating},
        "answered": {"question": question, "text": "t", "ticked": points},
        "ticked": {"question": question, "event": target, "ticked": points},
        "flipped": {"question": question, "event": target, "point": "x", "from": "hit", "to": "missing"},
        "undone": {"event": target, "question": question},
        "graded": {"file": "a.py", "question": question},
    }[kind]


def _by_the_book(events: Iterable[Event]) -> list[Progress]:
    """The definition: leave out what was undone, put each question's events in the order of time, fold them."""
    log = list(events)
    undone = {event.data["event"] for event in log if event.kind == "undone"}
    live = sorted(
        (event for event in log if event.kind in FOLDED_KINDS and event.uuid not in undone),
        key=lambda event: (event.at, event.id),
    )
    folded = [fold(event for event in live if event.data["question"] == question) for question in "abc"]
    return [progress for progress in folded if progress is not None]


def _rows(store: Store) -> list[Progress]:
    return sorted(select(store), key=lambda progress: progress.question)


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_STEP, max_size=25))
def test_folding_step_by_step_at_once_and_by_the_book_agree(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "coach.db") as store:
        now = START
        written: list[Event] = []
        for kind, question, rating, back, hours, fold_now in steps:
            now += timedelta(hours=hours)
            target = written[-1 - back].uuid if back < len(written) else None
            written.append(store.append(kind, _data(kind, question, rating, target), now))
            if fold_now:
                catch_up(store)
        catch_up(store)
        step_by_step = _rows(store)
        assert catch_up(store) == 0
        assert step_by_step == _by_the_book(written)
        assert rebuild(store) == len(written)
        assert _rows(store) == step_by_step
        assert last_practised(store) == {progress.question: progress.seen for progress in step_by_step}


@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(_QUESTION, st.integers(1, 4), st.floats(0, 500)), max_size=12), st.data())
def test_undoing_everything_written_since_gives_back_what_was(
    steps: list[tuple[str, int, float]], data: st.DataObject
) -> None:
    from interview_coach.review import Reviewer

    kept = data.draw(st.integers(0, len(steps)))
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "coach.db") as store:
        now = START
        review = Reviewer(store, list("abc"), clock=lambda: now, tz=UTC)
        before: list[Progress] = []
        for place, (question, rating, hours) in enumerate(steps):
            if place == kept:
                before = _rows(store)
            now += timedelta(hours=hours)
            review.rate(question, rating)
        if kept == len(steps):
            before = _rows(store)
        undone = [review.undo() for _ in steps[kept:]]
        assert undone == [question for question, _, _ in reversed(steps[kept:])]
        assert _rows(store) == before


def test_a_damaged_or_outdated_projection_is_folded_anew(tmp_path: Path) -> None:
    with Store.open(tmp_path / "coach.db") as store:
        store.append("rated", {"question": "a", "rating": 3}, START)
        catch_up(store)
        right = _rows(store)
        with store.transaction() as connection:
            connection.execute("UPDATE progress SET stability = 99")
        assert _rows(store) != right
        assert rebuild(store) == 1
        assert _rows(store) == right
        with store.transaction() as connection:
            connection.execute("UPDATE progress SET stability = 99")
            connection.execute("UPDATE folded SET fold = ?", (FOLD - 1,))
        assert catch_up(store) == 1
        assert _rows(store) == right
        with store.transaction() as connection:
            connection.execute("DELETE FROM progress")
            connection.execute("DELETE FROM folded")
        assert catch_up(store) == 1
        assert _rows(store) == right


def test_ticks_belong_to_the_last_answer(tmp_path: Path) -> None:
    with Store.open(tmp_path / "coach.db") as store:
        first = store.append("answered", {"question": "a", "text": "", "ticked": ["x"]}, START)
        store.append("ticked", {"question": "a", "event": first.uuid, "ticked": ["x", "y"]}, START)
        catch_up(store)
        assert [(row.answers, row.ticked) for row in select(store)] == [(1, ("x", "y"))]
        second = store.append("answered", {"question": "a", "text": ""}, START)
        store.append("ticked", {"question": "a", "event": first.uuid, "ticked": ["z"]}, START)
        catch_up(store)
        assert [(row.answers, row.last_answer, row.ticked) for row in select(store)] == [(2, second.uuid, ())]


def test_an_undone_that_was_written_before_its_rating_counts(tmp_path: Path) -> None:
    with Store.open(tmp_path / "coach.db") as store:
        catch_up(store)
        store.append("undone", {"event": "from-another-machine", "question": "a"}, START)
        catch_up(store)
        with store.transaction() as connection:
            connection.execute(
                "INSERT INTO events (uuid, kind, at, data) VALUES ('from-another-machine', 'rated', ?, ?)",
                (to_stamp(START), '{"question": "a", "rating": 3}'),
            )
        assert catch_up(store) == 1
        assert _rows(store) == []
        assert rebuild(store) == 2
        assert _rows(store) == []
