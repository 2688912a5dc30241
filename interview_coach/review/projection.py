"""The progress of all questions, kept beside the log and brought up to date by the events that are new.

The log is the truth: the table can be emptied and folded anew at any time (`rebuild`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from interview_coach.review.progress import Progress, apply, fold, question_of
from interview_coach.store import Event, Store
from interview_coach.store.event import from_stamp, to_json, to_stamp
from interview_coach.store.store import EVENT_COLUMNS, to_event

# Raise it when a fold over the same events comes out differently: stores are then folded anew.
FOLD = 1
_COLUMNS = tuple(entry.name for entry in fields(Progress))
_TIMES = {"seen", "due", "last_review", "first_review"}
_PAGE = 5000
_IS_LIVE = "NOT EXISTS (SELECT 1 FROM events AS u WHERE u.kind = 'undone' AND u.target = e.uuid)"
_NEW = f"SELECT {EVENT_COLUMNS}, {_IS_LIVE} FROM events AS e WHERE id > ? ORDER BY id LIMIT {_PAGE}"
_OF_QUESTION = f"SELECT {EVENT_COLUMNS} FROM events AS e WHERE question = ? AND {_IS_LIVE} ORDER BY at, id"
_QUESTIONS = "SELECT DISTINCT question FROM events WHERE question IS NOT NULL"
_INSERT = f"INSERT OR REPLACE INTO progress ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"


def catch_up(store: Store) -> int:
    """Folds the events that are not folded yet, in one transaction.

    Returns:
        how many they were.
    """
    (last,) = store.read("SELECT coalesce(max(id), 0) FROM events")[0]
    if store.read("SELECT fold, up_to FROM folded") == [(FOLD, last)]:
        return 0
    with store.transaction(durable=False) as connection:
        return _Fold(connection).run()


def rebuild(store: Store) -> int:
    """Forgets what was folded and folds the whole log.

    Returns:
        how many events it holds.
    """
    with store.transaction() as connection:
        connection.execute("DELETE FROM folded")
        return _Fold(connection).run()


def progress_of(store: Store, question_id: str) -> Progress | None:
    """The progress of one question, as far as it was folded."""
    return next(iter(select(store, "question = ?", question_id)), None)


def select(store: Store, condition: str = "TRUE", *arguments: Any) -> list[Progress]:
    """The rows that meet an SQL condition, in the order of their due times, then ids."""
    sql = f"SELECT {', '.join(_COLUMNS)} FROM progress WHERE {condition} ORDER BY due, question"
    return [_from_row(row) for row in store.read(sql, *arguments)]


def last_practised(store: Store) -> dict[str, datetime]:
    """When each question was last answered or rated; brings the projection up to date first."""
    catch_up(store)
    return {question: from_stamp(seen) for question, seen in store.read("SELECT question, seen FROM progress")}


class _Fold:
    """One run over the new events, inside a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._progress: dict[str, Progress | None] = {}
        self._refold: set[str] = set()

    def run(self) -> int:
        row = self._connection.execute("SELECT fold, up_to FROM folded").fetchone()
        if row and row[0] == FOLD:
            count, up_to = self._take_new(row[1])
        else:
            self._connection.execute("DELETE FROM progress")
            count, up_to = self._connection.execute("SELECT count(*), coalesce(max(id), 0) FROM events").fetchone()
            self._refold = {question for (question,) in self._connection.execute(_QUESTIONS)}
        for question in self._refold:
            self._progress[question] = fold(map(to_event, self._connection.execute(_OF_QUESTION, (question,))))
        self._write(up_to)
        return int(count)

    def _take_new(self, up_to: int) -> tuple[int, int]:
        """Takes the events after ``up_to``; returns how many they were and the id of the last."""
        count = 0
        for event, is_live in self._new(up_to):
            self._take(event, is_live)
            count, up_to = count + 1, event.id
        return count, up_to

    def _new(self, after: int) -> Iterator[tuple[Event, bool]]:
        while rows := self._connection.execute(_NEW, (after,)).fetchall():
            yield from ((to_event(row), bool(row[-1])) for row in rows)
            after = rows[-1][0]

    def _take(self, event: Event, is_live: bool) -> None:
        if event.kind == "undone":
            self._refold |= self._questions_of(event.data.get("event"))
            return
        question = question_of(event)
        if question is None or not is_live or question in self._refold:
            return
        before = self._load(question)
        if before is not None and event.at < before.seen:
            # Written late (a clock set back, another machine's log): only a fold in the order of time is right.
            self._refold.add(question)
        else:
            self._progress[question] = apply(before, event)

    def _questions_of(self, target: object) -> set[str]:
        if not isinstance(target, str):
            return set()
        rows = self._connection.execute(f"SELECT {EVENT_COLUMNS} FROM events WHERE uuid = ?", (target,))
        return {question for row in rows if (question := question_of(to_event(row))) is not None}

    def _load(self, question: str) -> Progress | None:
        if question not in self._progress:
            sql = f"SELECT {', '.join(_COLUMNS)} FROM progress WHERE question = ?"
            row = self._connection.execute(sql, (question,)).fetchone()
            self._progress[question] = _from_row(row) if row else None
        return self._progress[question]

    def _write(self, up_to: int) -> None:
        gone = [(question,) for question, progress in self._progress.items() if progress is None]
        kept = [_to_row(progress) for progress in self._progress.values() if progress is not None]
        self._connection.executemany("DELETE FROM progress WHERE question = ?", gone)
        self._connection.executemany(_INSERT, kept)
        self._connection.execute("DELETE FROM folded")
        self._connection.execute("INSERT INTO folded VALUES (?, ?)", (FOLD, up_to))


def _to_row(progress: Progress) -> tuple[Any, ...]:
    def cell(value: Any) -> Any:
        if isinstance(value, datetime):
            return to_stamp(value)
        return to_json(list(value)) if isinstance(value, tuple) else value

    return tuple(cell(getattr(progress, name)) for name in _COLUMNS)


def _from_row(row: tuple[Any, ...]) -> Progress:
    values = dict(zip(_COLUMNS, row, strict=True))
    times = {name: from_stamp(values[name]) for name in _TIMES if values[name] is not None}
    return Progress(**values | times | {"ticked": tuple(json.loads(values["ticked"]))})
