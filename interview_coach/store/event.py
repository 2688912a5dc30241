"""One thing that happened, and how it is written down."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from interview_coach.records import record


@record
class Event:
    """An entry of the log. Never changed once written.

    Attributes:
        id: position in this log, ascending.
        uuid: the same on every machine.
        kind: ``answered``, ``flipped``, ``rated``, ``undone``, ``graded``, ...
        at: when it happened, UTC.
        data: what the kind needs, JSON values only.
    """

    id: int
    uuid: str
    kind: str
    at: datetime
    data: dict[str, Any]


def to_stamp(at: datetime) -> str:
    """An aware time as UTC text of fixed width, so that texts sort as times do.

    Raises:
        ValueError: ``at`` has no time zone.
    """
    if at.tzinfo is None:
        raise ValueError(f"a time with a time zone is needed, got {at!r}")
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def from_stamp(stamp: str) -> datetime:
    """The time written by `to_stamp`."""
    return datetime.fromisoformat(stamp)


def to_json(value: Any) -> str:
    """JSON that SQLite can hold: readable, and escaped only where a lone surrogate (a bad paste) forces it."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text
