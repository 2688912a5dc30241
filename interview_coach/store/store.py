"""The store: a log that is only appended to, and drafts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from interview_coach.store.event import Event


class Store:
    """An open store. Use it as a context manager, or call `close`."""

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Opens the store at ``path`` (default: ``coach.db`` in the data folder), and makes it where there is none."""
        raise NotImplementedError

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def append(self, kind: str, data: dict[str, Any], at: datetime) -> Event:
        raise NotImplementedError

    def events(self, kind: str | None = None, since: datetime | None = None) -> Iterator[Event]:
        raise NotImplementedError

    def save_draft(self, question_id: str, text: str) -> None:
        raise NotImplementedError

    def draft(self, question_id: str) -> str | None:
        raise NotImplementedError

    def clear_draft(self, question_id: str) -> None:
        raise NotImplementedError
