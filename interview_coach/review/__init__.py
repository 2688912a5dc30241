"""What to repeat when: the queue, FSRS, and statistics."""

from interview_coach.review.intervals import humanise
from interview_coach.review.ratings import RATING_NAMES, ratings
from interview_coach.review.reviewer import Reviewer
from interview_coach.review.statistics import Stats, stats

__all__ = ["RATING_NAMES", "Reviewer", "Stats", "humanise", "ratings", "stats"]
