"""What the user did: an append-only event log in SQLite, and the drafts of answers not yet given."""

from interview_coach.store.event import Event
from interview_coach.store.store import Store

__all__ = ["Event", "Store"]
