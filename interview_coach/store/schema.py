"""The tables of the store, as a list of steps from nothing to now.

``PRAGMA user_version`` counts the steps taken. A step, once released, is never edited: append another.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from interview_coach.errors import CoachError
from interview_coach.text import Text

# "CoAc": tells our files from other programs' SQLite files.
APPLICATION_ID = 0x436F4163

_EVENTS_AND_DRAFTS = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uuid TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    data TEXT NOT NULL CHECK (json_valid(data)),
    question TEXT GENERATED ALWAYS AS (json_extract(data, '$.question')) VIRTUAL,
    target TEXT GENERATED ALWAYS AS (json_extract(data, '$.event')) VIRTUAL
);
CREATE INDEX events_by_kind ON events (kind);
CREATE INDEX events_by_time ON events (at, kind, question);
CREATE INDEX events_by_question ON events (question, at, id) WHERE question IS NOT NULL;
CREATE INDEX events_undone ON events (target) WHERE kind = 'undone';
CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

CREATE TABLE drafts (
    question TEXT PRIMARY KEY,
    text TEXT NOT NULL CHECK (json_valid(text))
) WITHOUT ROWID;

-- Folded from the events: safe to empty, then folded anew.
CREATE TABLE progress (
    question TEXT PRIMARY KEY,
    seen TEXT NOT NULL,
    state INTEGER,
    step INTEGER,
    stability REAL,
    difficulty REAL,
    due TEXT,
    last_review TEXT,
    first_review TEXT,
    last_rating INTEGER,
    repetitions INTEGER NOT NULL,
    lapses INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    last_answer TEXT,
    ticked TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX progress_by_due ON progress (due) WHERE due IS NOT NULL;
CREATE TABLE folded (fold INTEGER NOT NULL, up_to INTEGER NOT NULL);
"""

MIGRATIONS: Sequence[str] = (_EVENTS_AND_DRAFTS,)


def check(connection: sqlite3.Connection, path: Path, known: int) -> int:
    """The version of a store, without a change to it.

    Raises:
        CoachError: the file belongs to a newer program, or to another one.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    foreign = application not in (0, APPLICATION_ID) or (
        application == 0 and connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
    )
    if foreign:
        raise CoachError(
            Text(
                "The file is an SQLite database of another program; it was left as it is.",
                "该文件是其他程序的 SQLite 数据库；未作任何改动。",
            ),
            path,
            Text("a store of Interview Coach, or no file", "Interview Coach 的数据文件，或没有文件"),
            f"mv '{path}' '{path}.other'",
        )
    if version > known:
        raise CoachError(
            Text(
                f"The store was written by a newer Interview Coach (version {version} of the data, this program knows "
                f"{known}); it was left as it is.",
                f"数据由更新版本的 Interview Coach 写入（数据版本 {version}，本程序只认识 {known}）；未作任何改动。",
            ),
            path,
            Text("the newest Interview Coach", "最新版的 Interview Coach"),
            "pip install --upgrade interview-coach",
        )
    return version


def migrate(
    connection: sqlite3.Connection, path: Path, back_up: Callable[[int], object], migrations: Sequence[str] = MIGRATIONS
) -> None:
    """Takes the steps that a store lacks, each whole or not at all.

    Args:
        connection: to the store, in autocommit mode.
        path: of the store, for messages.
        back_up: called with the version before each step from a store that exists.
        migrations: the steps.
    """
    while (version := check(connection, path, len(migrations))) < len(migrations):
        if version:
            back_up(version)
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have taken the step while this one waited.
            if int(connection.execute("PRAGMA user_version").fetchone()[0]) == version:
                for statement in _statements(migrations[version]):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {version + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise


def _statements(script: str) -> list[str]:
    """A script cut into statements; `executescript` would commit in between."""
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
