"""Which cards are due, and what a rating does to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo

from interview_coach.records import record
from interview_coach.review.days import day_of, start_of
from interview_coach.review.progress import Progress, is_rating
from interview_coach.review.projection import catch_up, progress_of
from interview_coach.review.ratings import RATING_NAMES
from interview_coach.store import Store
from interview_coach.store.event import from_stamp, to_stamp

# With nothing else to do, a card in (re)learning may come this much early, as it would else be waited for.
_AHEAD = timedelta(minutes=20)
_REVIEW_STATE = 2
_LAST_RATING = (
    "SELECT e.uuid, e.question FROM events AS e WHERE e.kind = 'rated' AND e.question IS NOT NULL "
    "AND NOT EXISTS (SELECT 1 FROM events AS u WHERE u.kind = 'undone' AND u.target = e.uuid) "
    "ORDER BY e.id DESC LIMIT 1"
)


@record
class Queue:
    """Today's work.

    Attributes:
        learning: cards in (re)learning whose time has come.
        reviews: cards due on this day of the user or before.
        new: cards never rated, as many as the day still allows.
        upcoming: cards in (re)learning that come later today.
    """

    learning: tuple[str, ...]
    reviews: tuple[str, ...]
    new: tuple[str, ...]
    upcoming: tuple[str, ...]

    @property
    def due(self) -> tuple[str, ...]:
        """All that can be done now, in the order to do it."""
        return self.learning + self.reviews + self.new


class Reviewer:
    """Reviews the cards of a bank. A card's id is its question's id.

    Cards of questions that are no longer in the bank are not shown; their history stays.

    Args:
        store: the log.
        bank_ids: the questions there are; new ones come in this order.
        clock: the time now, with a time zone.
        new_per_day: cards that may be rated for the first time in a day.
        tz: the user's zone; default: the system's.
    """

    def __init__(
        self,
        store: Store,
        bank_ids: Sequence[str],
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        new_per_day: int = 10,
        tz: tzinfo | None = None,
    ) -> None:
        self._store = store
        self._ids = tuple(dict.fromkeys(bank_ids))
        self._known = frozenset(self._ids)
        self._clock = clock
        self._new_per_day = new_per_day
        self._tz = tz

    def queue(self) -> Queue:
        """Today's work as of now."""
        catch_up(self._store)
        now = self._clock()
        today = day_of(now, self._tz)
        begin, end = start_of(today, self._tz), start_of(today + timedelta(days=1), self._tz)
        rows = self._store.read(
            "SELECT question, state, due FROM progress WHERE due < ? ORDER BY due, question", to_stamp(end)
        )
        reviews, learning, later = [], [], []
        for question, state, due in rows:
            if question in self._known:
                if state == _REVIEW_STATE:
                    reviews.append(question)
                elif due <= to_stamp(now):
                    learning.append(question)
                else:
                    later.append((question, from_stamp(due)))
        new = self._new(begin, end)
        if not (reviews or learning or new):
            learning = [question for question, due in later if due <= now + _AHEAD]
        upcoming = tuple(question for question, _ in later if question not in learning)
        return Queue(tuple(learning), tuple(reviews), new, upcoming)

    def due(self) -> list[str]:
        """The questions to review now, the first one first."""
        return list(self.queue().due)

    @property
    def upcoming(self) -> int:
        """How many more cards come later today."""
        return len(self.queue().upcoming)

    def next_due(self) -> datetime | None:
        """When the next card comes that is not due yet, UTC; ``None`` where none waits."""
        catch_up(self._store)
        rows = self._store.read(
            "SELECT question, due FROM progress WHERE due > ? ORDER BY due", to_stamp(self._clock())
        )
        return next((from_stamp(due) for question, due in rows if question in self._known), None)

    def preview(self, question_id: str) -> dict[int, timedelta]:
        """The interval that each of the four ratings would give, if it were given now."""
        from interview_coach.review.schedule import next_card

        catch_up(self._store)
        now = self._clock()
        before = progress_of(self._store, question_id) or Progress(question_id, now)
        return {rating: next_card(before, rating, now).due - now for rating in RATING_NAMES}

    def rate(self, question_id: str, rating: int) -> timedelta:
        """Writes a rating, 1 (again) to 4 (easy), at the time now.

        Returns:
            the interval until the card comes again.

        Raises:
            ValueError: there is no such rating.
        """
        if not is_rating(rating):
            raise ValueError(f"a rating is 1, 2, 3 or 4, got {rating!r}")
        now = self._clock()
        self._store.append("rated", {"question": question_id, "rating": rating}, now)
        catch_up(self._store)
        after = progress_of(self._store, question_id)
        assert after is not None and after.due is not None
        return after.due - now

    def undo(self) -> str | None:
        """Takes back the last rating that stands, whenever it was given.

        Returns:
            its question, or ``None`` where there is nothing to undo.
        """
        rows = self._store.read(_LAST_RATING)
        if not rows:
            return None
        target, question = rows[0]
        self._store.append("undone", {"event": target, "question": question}, self._clock())
        catch_up(self._store)
        return str(question)

    def _new(self, begin: datetime, end: datetime) -> tuple[str, ...]:
        """The new cards that today still allows."""
        rated = {question for (question,) in self._store.read("SELECT question FROM progress WHERE due IS NOT NULL")}
        today = self._store.read(
            "SELECT count(*) FROM progress WHERE first_review >= ? AND first_review < ?", to_stamp(begin), to_stamp(end)
        )[0][0]
        allowed = max(self._new_per_day - today, 0)
        return tuple(question for question in self._ids if question not in rated)[:allowed]
