"""Grade a file at each save, and answer keys in between."""

from interview_coach.grading.watch.session import Screen, WatchSession

__all__ = ["Screen", "WatchSession"]
