"""The four FSRS ratings and their names."""

from __future__ import annotations

from collections.abc import Mapping

from interview_coach.text import Text

AGAIN, HARD, GOOD, EASY = 1, 2, 3, 4
RATING_NAMES: Mapping[int, Text] = {
    AGAIN: Text("again", "重来"),
    HARD: Text("hard", "困难"),
    GOOD: Text("good", "良好"),
    EASY: Text("easy", "轻松"),
}


def ratings(four: bool) -> tuple[int, ...]:
    """The ratings offered, in the order of their keys: the key ``1`` gives the first, ``2`` the second, ..."""
    return (AGAIN, HARD, GOOD, EASY) if four else (AGAIN, GOOD)
