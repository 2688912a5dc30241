"""Marking a spoken or typed answer: what was said, what was missed, what was wrong.

>>> from interview_coach.bank import load_bank
>>> from interview_coach.marking import mark
>>> marking = mark(load_bank().questions["why-sqrt-dk"], "The variance of q·k is d_k.")
>>> [point.verdict for point in marking.points if point.id == "variance-is-dk"]
['hit']
"""

from __future__ import annotations

from interview_coach.marking.marker import mark, prepare
from interview_coach.marking.result import RATING_NUMBERS, Coverage, Marking, PointMark, Rating, Verdict

__all__ = ["RATING_NUMBERS", "Coverage", "Marking", "PointMark", "Rating", "Verdict", "mark", "prepare"]
