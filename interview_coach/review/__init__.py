"""What to repeat when: the queue, FSRS, and statistics."""

from interview_coach.review.intervals import humanise
from interview_coach.review.projection import last_practised, rebuild
from interview_coach.review.ratings import RATING_NAMES, ratings
from interview_coach.review.reviewer import Queue, Reviewer
from interview_coach.review.statistics import Stats, stats

__all__ = [
    "RATING_NAMES",
    "Queue",
    "Reviewer",
    "Stats",
    "humanise",
    "last_practised",
    "ratings",
    "rebuild",
    "stats",
]
