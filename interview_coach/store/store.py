"""The store: a log that is only appended to, and drafts of answers not yet given."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from interview_coach.paths import data_dir
from interview_coach.store import backup, schema
from interview_coach.store.event import Event, from_stamp, to_json, to_stamp
from interview_coach.store.failures import WAIT_MS, for_readers, refuse_damaged

_PAGE = 1000
EVENT_COLUMNS = "id, uuid, kind, at, data"


def to_event(row: Sequence[Any]) -> Event:
    """The event in a row of ``EVENT_COLUMNS``."""
    return Event(row[0], row[1], row[2], from_stamp(row[3]), json.loads(row[4]))


class Store:
    """An open store. Use it as a context manager, or call `close`. It may be used from any thread.

    Each event is on the disk when `append` returns. Several processes may have the same store open.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Opens a store, makes it where there is none, and brings an older one up to date (after a backup).

        Args:
            path: default ``coach.db`` in the data folder.

        Raises:
            CoachError: the file is damaged, not ours, newer than this program, locked for long, or not writable.
        """
        path = path or data_dir() / "coach.db"
        with for_readers(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            refuse_damaged(path)
            connection = sqlite3.connect(
                path, timeout=WAIT_MS / 1000, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            try:
                connection.execute(f"PRAGMA busy_timeout = {WAIT_MS}")
                schema.check(connection, path, len(schema.MIGRATIONS))
                _use_wal(connection)
                # In WAL mode, FULL waits for the disk at each commit: a power cut loses no event.
                connection.execute("PRAGMA synchronous = FULL")
                schema.migrate(
                    connection,
                    path,
                    lambda version: backup.back_up(connection, path, version, datetime.now(UTC)),
                    schema.MIGRATIONS,
                )
            except BaseException:
                connection.close()
                raise
        return cls(connection, path)

    def close(self) -> None:
        """Closes the store. Nothing is pending: all was written when it happened."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def append(self, kind: str, data: dict[str, Any], at: datetime) -> Event:
        """Writes an event, in a transaction of its own.

        An ``answered`` event takes the place of the draft of its text, which goes in the same transaction.

        Args:
            kind: what happened.
            data: JSON values only.
            at: when, with a time zone.

        Raises:
            CoachError: the disk is full, read-only, or damaged.
            ValueError: ``at`` has no time zone, or ``data`` is not JSON.
        """
        from uuid import uuid4

        entry = (str(uuid4()), kind, to_stamp(at), to_json(data))
        with self.transaction() as connection:
            cursor = connection.execute("INSERT INTO events (uuid, kind, at, data) VALUES (?, ?, ?, ?)", entry)
            if kind == "answered":
                draft = (data.get("question"), to_json(data.get("text")))
                connection.execute("DELETE FROM drafts WHERE question = ? AND text = ?", draft)
        assert cursor.lastrowid is not None
        return to_event((cursor.lastrowid, *entry))

    def events(self, kind: str | None = None, since: datetime | None = None) -> Iterator[Event]:
        """The events in the order they were written, read as they are asked for.

        Args:
            kind: only of this kind.
            since: only those that happened then or later.
        """
        conditions, last = ["id > ?"], 0
        filters: list[str] = []
        if kind is not None:
            conditions.append("kind = ?")
            filters.append(kind)
        if since is not None:
            # The plus leaves the choice between the indexes by id and by kind: by time would sort for each page.
            conditions.append("+at >= ?")
            filters.append(to_stamp(since))
            # Most often all that is old lies before the first that is not: skip it by the index.
            (first,) = self.read("SELECT min(id) FROM events WHERE at >= ?", to_stamp(since))[0]
            if first is None:
                return
            last = first - 1
        sql = f"SELECT {EVENT_COLUMNS} FROM events WHERE {' AND '.join(conditions)} ORDER BY id LIMIT {_PAGE}"
        while rows := self.read(sql, last, *filters):
            yield from map(to_event, rows)
            last = rows[-1][0]

    def __len__(self) -> int:
        """How many events there are."""
        return int(self.read("SELECT count(*) FROM events")[0][0])

    def __bool__(self) -> bool:
        """An open store is there, also when it is empty."""
        return True

    def latest(self, kind: str, count: int) -> list[Event]:
        """The last events of a kind, the newest first."""
        sql = f"SELECT {EVENT_COLUMNS} FROM events WHERE kind = ? ORDER BY id DESC LIMIT ?"
        return [to_event(row) for row in self.read(sql, kind, count)]

    def save_draft(self, question_id: str, text: str) -> None:
        """Keeps what is typed so far. An empty text clears the draft.

        Cheap enough for each keystroke: it outlives a killed process at once, and a power cut within moments.
        """
        if not text:
            self.clear_draft(question_id)
            return
        with self.transaction(durable=False) as connection:
            connection.execute(
                "INSERT INTO drafts VALUES (?, ?) ON CONFLICT (question) DO UPDATE SET text = excluded.text",
                (question_id, to_json(text)),
            )

    def draft(self, question_id: str) -> str | None:
        """What was typed for a question and not yet given as an answer."""
        rows = self.read("SELECT text FROM drafts WHERE question = ?", question_id)
        return str(json.loads(rows[0][0])) if rows else None

    def clear_draft(self, question_id: str) -> None:
        """Forgets the draft of a question."""
        with self.transaction(durable=False) as connection:
            connection.execute("DELETE FROM drafts WHERE question = ?", (question_id,))

    def drafts(self) -> dict[str, str]:
        """All drafts by question id."""
        return {question: json.loads(text) for question, text in self.read("SELECT question, text FROM drafts")}

    def problems(self) -> list[str]:
        """What SQLite finds wrong with the file, in its words; reads all of it."""
        lines = [str(row[0]) for row in self.read("PRAGMA integrity_check")]
        return [] if lines == ["ok"] else lines

    def back_up(self, now: datetime) -> Path:
        """Makes a backup beside the store, thins the older ones, and returns its path."""
        with self._lock, for_readers(self.path):
            return backup.back_up(self._connection, self.path, len(schema.MIGRATIONS), now)

    def backups(self) -> list[Path]:
        """The backups of this store, the newest first."""
        return backup.backups(self.path)

    def read(self, sql: str, *arguments: Any) -> list[Any]:
        """All rows of a query."""
        with self._lock, for_readers(self.path):
            return self._connection.execute(sql, arguments).fetchall()

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """A write, whole or not at all, whatever is raised inside it (Ctrl-C too).

        Args:
            durable: wait until it is on the disk.
        """
        with self._lock, for_readers(self.path):
            connection = self._connection
            if connection.in_transaction:  # left by a Ctrl-C between BEGIN and try
                connection.execute("ROLLBACK")
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


def _use_wal(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")
