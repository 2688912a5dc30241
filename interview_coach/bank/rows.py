"""Questions as nested tuples, the form that the cache keeps: smaller and much faster to load than the objects."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from interview_coach.bank.model import (
    Claim,
    ConceptGroup,
    Examples,
    Experience,
    FollowUp,
    KeyPoint,
    Misconception,
    Pitfall,
    Question,
    Reference,
)
from interview_coach.text import Text

Row = tuple[Any, ...]


_FIELD_NAMES: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (
        Question, KeyPoint, ConceptGroup, Misconception, Pitfall, FollowUp, Experience, Reference, Claim, Examples,
        Text,
    )
}  # fmt: skip


def to_row(value: Any) -> Any:
    """A question, or a part of one, as tuples of its fields in the order of the class."""
    if isinstance(value, tuple):
        return tuple(map(to_row, value))
    names = _FIELD_NAMES.get(type(value))
    return tuple(to_row(getattr(value, name)) for name in names) if names else value


def from_row(row: Row) -> Question:
    """The question that :func:`to_row` took apart. Written out by hand: it runs for every question that is shown."""
    identifier, topic, tags, level, frequency, kind, prompt, intent, answer, elevator, *rest = row
    key_points, pitfalls, follow_ups, experience, references, exercise, lab, claims, examples = rest
    return Question(
        id=identifier,
        topic=topic,
        tags=tags,
        level=level,
        frequency=frequency,
        kind=kind,
        prompt=Text(*prompt),
        intent=Text(*intent),
        answer=Text(*answer),
        elevator=Text(*elevator),
        key_points=tuple(map(_key_point, key_points)),
        pitfalls=tuple(Pitfall(Text(*wrong), Text(*right), refutes) for wrong, right, refutes in pitfalls),
        follow_ups=tuple(FollowUp(Text(*asked), Text(*answered), missing) for asked, answered, missing in follow_ups),
        experience=Experience(*(Text(*text) for text in experience)),
        references=tuple(Reference(*reference) for reference in references),
        exercise=exercise,
        lab=lab,
        claims=tuple(Claim(Text(*statement), *numbers) for statement, *numbers in claims),
        examples=tuple(Examples(*example) for example in examples),
    )


def _key_point(row: Row) -> KeyPoint:
    identifier, weight, text, concepts, misconceptions, remedy = row
    wrong = tuple(map(_misconception, misconceptions))
    averting = ConceptGroup(*remedy) if remedy else None
    return KeyPoint(identifier, weight, Text(*text), _concepts(concepts), wrong, averting)


def _misconception(row: Row) -> Misconception:
    identifier, concepts, correction = row
    return Misconception(identifier, _concepts(concepts), Text(*correction))


def _concepts(rows: tuple[Row, ...]) -> tuple[ConceptGroup, ...]:
    return tuple(ConceptGroup(*phrases) for phrases in rows)
