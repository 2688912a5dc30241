"""The verdicts that the user flipped, as labels for whoever improves the marker."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from interview_coach.store import Store


class Label(NamedTuple):
    """A key point of an answer, on which user and marker differ.

    Attributes:
        question: its id.
        point: id of the key point.
        answer: the text, as it was given.
        marked: the verdict of the marker.
        right: the verdict of the user.
        at: when it was flipped last, UTC.
    """

    question: str
    point: str
    answer: str
    marked: str
    right: str
    at: datetime

    def to_dict(self) -> dict[str, Any]:
        """The label as JSON data."""
        return {
            "schema": 1,
            "question": self.question,
            "point": self.point,
            "answer": self.answer,
            "from": self.marked,
            "to": self.right,
            "at": self.at.isoformat(timespec="seconds"),
        }


def labels(store: Store) -> Iterator[Label]:
    """One label for each point that was flipped and not flipped back, in the order of the first flip."""
    answers = {
        event.uuid: str(event.data.get("text", ""))
        for kind in ("answered", "followed-up")
        for event in store.events(kind)
    }
    found: dict[tuple[str, str], Label] = {}
    for event in store.events("flipped"):
        data = {name: str(event.data.get(name, "")) for name in ("event", "question", "point", "from", "to")}
        key = data["event"], data["point"]
        if key[0] in answers:
            marked = found[key].marked if key in found else data["from"]
            found[key] = Label(data["question"], key[1], answers[key[0]], marked, data["to"], event.at)
    return (label for label in found.values() if label.marked != label.right)
