"""Bug hunt: a short attention with one planted bug, to be named or pointed at before the clock ends."""

from interview_coach.hunt.catalogue import choices, choose, exercise_ids, found_before, programs, templates
from interview_coach.hunt.game import Hunt, Result
from interview_coach.hunt.names import describe
from interview_coach.hunt.template import Program, Template

__all__ = [
    "Hunt",
    "Program",
    "Result",
    "Template",
    "choices",
    "choose",
    "describe",
    "exercise_ids",
    "found_before",
    "programs",
    "templates",
]
