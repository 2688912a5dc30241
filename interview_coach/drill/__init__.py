"""A timed session as a plain state machine: no widgets, no threads, an injected clock."""

from interview_coach.drill.drill import Answer, Drill, Phase, Summary
from interview_coach.drill.queue import build_queue

__all__ = ["Answer", "Drill", "Phase", "Summary", "build_queue"]
