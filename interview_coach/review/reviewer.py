"""Which cards are due, and what a rating does to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, tzinfo

from interview_coach.store import Store


class Reviewer:
    """Reviews the cards of a bank. A card's id is its question's id."""

    def __init__(
        self,
        store: Store,
        bank_ids: Sequence[str],
        *,
        clock: Callable[[], datetime],
        new_per_day: int = 10,
        tz: tzinfo | None = None,
    ) -> None: ...

    def due(self) -> list[str]:
        raise NotImplementedError

    @property
    def upcoming(self) -> int:
        """How many more cards come later today."""
        raise NotImplementedError

    def preview(self, question_id: str) -> dict[int, timedelta]:
        raise NotImplementedError

    def rate(self, question_id: str, rating: int) -> None:
        raise NotImplementedError

    def undo(self) -> str | None:
        raise NotImplementedError
