"""An answer with its verdicts, which the user may turn: the last word is the user's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from interview_coach.bank.model import Question
from interview_coach.marking import RATING_NUMBERS, Marking, PointMark, Verdict, mark
from interview_coach.marking.result import language_of, summarise
from interview_coach.records import record

if TYPE_CHECKING:
    from interview_coach.judge import Judged

_TOO_SHORT = 1.0
"""Seconds below which a pace says nothing."""

_ORDER: tuple[Verdict, ...] = ("contradicted", "hit", "partial", "unsure", "missing")


@record
class Flip:
    """A verdict that the user turned."""

    point: str
    before: Verdict
    after: Verdict


class MarkedAnswer:
    """An answer, marked.

    Args:
        question: what was asked.
        text: the answer.
        seconds: that it took.

    Attributes:
        marking: as it stands now, with the rating, the coverage and the follow-up that the flips lead to.
        order: ids of the points: wrong, said, half said, missed, as the marker saw them. A flip moves no line.
        suggested: what a judge would call some of the points, by id; it changes no verdict.
        error: what kept the marker from its work, if anything; every point is then missing until it is flipped.
    """

    def __init__(self, question: Question, text: str, seconds: float) -> None:
        self.question, self.text, self.seconds = question, text, seconds
        self._seconds = seconds if seconds >= _TOO_SHORT else None
        self.suggested: Mapping[str, Judged] = {}
        self.error: Exception | None = None
        try:
            self.marking: Marking = mark(question, text, seconds=self._seconds)
        except Exception as error:
            self.error = error
            self.marking = self._summary(
                tuple(PointMark(point.id, point.weight, "missing") for point in question.key_points)
            )
        self._first = {point.id: point for point in self.marking.points}
        ranked = sorted(self.marking.points, key=lambda point: (_ORDER.index(point.verdict), point.weight == "bonus"))
        self.order = tuple(point.id for point in ranked)

    def _summary(self, points: tuple[PointMark, ...]) -> Marking:
        return summarise(self.question, self.text, language_of(self.text), self._seconds, points)

    def __getitem__(self, point_id: str) -> PointMark:
        return next(point for point in self.marking.points if point.id == point_id)

    def is_flipped(self, point_id: str) -> bool:
        """Whether the verdict is the user's."""
        return self[point_id].verdict != self._first[point_id].verdict

    def flip(self, point_id: str) -> Flip:
        """Turns a verdict: what counted no longer does, anything else does; a second time, the marker's is back."""
        before, first = self[point_id], self._first[point_id]
        after = first
        if before.verdict == first.verdict:
            if first.verdict == "hit":
                after = replace(first, verdict="missing", span=None, quote="")
            else:
                after = replace(first, verdict="hit", misconception=None, correction=None)
        self.marking = self._summary(tuple(after if point.id == point_id else point for point in self.marking.points))
        return Flip(point_id, before.verdict, after.verdict)

    @property
    def hits(self) -> tuple[str, ...]:
        """Ids of the points that count as said."""
        return tuple(point.id for point in self.marking.points if point.verdict == "hit")

    def count(self, verdict: Verdict, weight: str | None = None) -> int:
        """How many points have a verdict."""
        return sum(point.verdict == verdict and weight in (None, point.weight) for point in self.marking.points)

    def suggestion(self, ratings: tuple[int, ...]) -> int:
        """The rating to suggest, of those on offer: with two, only a whole core is better than again."""
        wanted = RATING_NUMBERS[self.marking.suggested_rating]
        return wanted if wanted in ratings else 1 if wanted < 3 else 3
