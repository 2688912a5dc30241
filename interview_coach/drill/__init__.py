"""A timed session as a plain state machine: no widgets, no threads, an injected clock."""

from interview_coach.drill.drill import Drill, Phase
from interview_coach.drill.queue import build_queue
from interview_coach.drill.summary import Answer, Summary, pace

__all__ = ["Answer", "Drill", "Phase", "Summary", "build_queue", "pace"]
