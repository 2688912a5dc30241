"""The user's days: local, and over at 4 in the morning, so that a late evening is one day."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

ROLLOVER = time(4)


def day_of(at: datetime, tz: tzinfo | None = None) -> date:
    """The day that ``at`` belongs to, in ``tz`` (default: the system's zone)."""
    wall = at.astimezone(tz).replace(tzinfo=None)
    return (wall - timedelta(hours=ROLLOVER.hour)).date()


def start_of(day: date, tz: tzinfo | None = None) -> datetime:
    """When ``day`` begins, in UTC."""
    # A naive time is taken to be in the system's zone by `astimezone`.
    return datetime.combine(day, ROLLOVER, tzinfo=tz).astimezone(UTC)
