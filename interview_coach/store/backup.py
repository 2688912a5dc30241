"""Copies of the store, the newest kept and the older ones thinned out."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

_KEPT_NEWEST = 5
_KEPT_MONTHS = 12
_STAMP = "%Y%m%dT%H%M%S%fZ"


def folder_of(store: Path) -> Path:
    """Where the backups of a store lie."""
    return store.parent / "backups"


def backups(store: Path) -> list[Path]:
    """The backups of a store, the newest first."""
    pattern = re.compile(rf"{re.escape(store.stem)}-v\d+-(\d{{8}}T\d{{12}}Z){re.escape(store.suffix)}")
    found = [(match[1], path) for path in folder_of(store).glob("*") if (match := pattern.fullmatch(path.name))]
    return [path for _, path in sorted(found, reverse=True)]


def back_up(connection: sqlite3.Connection, store: Path, version: int, now: datetime) -> Path:
    """Copies the store, whole and consistent, whoever else is using it; then thins the older backups.

    Returns:
        the backup.
    """
    folder_of(store).mkdir(exist_ok=True)
    path = folder_of(store) / f"{store.stem}-v{version}-{now.astimezone(UTC).strftime(_STAMP)}{store.suffix}"
    partial = path.with_suffix(".partial")
    try:
        with closing(sqlite3.connect(partial)) as copy:
            connection.backup(copy)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    for old in to_thin(backups(store)):
        old.unlink(missing_ok=True)
    return path


def to_thin(newest_first: Iterable[Path]) -> list[Path]:
    """The backups to let go: all but the newest few and the newest of each of the last months that have one."""
    months: set[str] = set()
    let_go = []
    for place, path in enumerate(newest_first):
        month = path.stem.rsplit("-", 1)[-1][:6]
        first_of_month = month not in months and len(months) < _KEPT_MONTHS
        months.add(month)
        if place >= _KEPT_NEWEST and not first_of_month:
            let_go.append(path)
    return let_go
