"""What a question is: frozen dataclasses, one for each part of a question file.

The classes need nothing but the standard library. Where a field allows only some values, a :class:`Limits` says so as
plain data; pydantic reads it when a file is checked (:mod:`interview_coach.bank.checking`) and when the JSON Schema is
made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from interview_coach.records import record
from interview_coach.text import Text

Kind = Literal["concept", "derivation", "numbers", "code", "design", "experience"]
Weight = Literal["core", "bonus"]
Direction = Literal["grows", "shrinks", "unchanged", "before", "after", "with", "without"]

ELEVATOR_WORDS = 75
"""Most English words in a 30-second answer."""
ELEVATOR_CHARACTERS = 130
"""Most Chinese characters in a 30-second answer."""


class Limits:
    """Bounds on a field, in the words of pydantic's core schema (``ge``, ``le``, ``min_length``, ``pattern``...)."""

    __slots__ = ("bounds",)

    def __init__(self, **bounds: Any) -> None:
        self.bounds = bounds

    def __get_pydantic_core_schema__(
        self, source: Any, handler: Callable[[Any], Mapping[str, Any]]
    ) -> Mapping[str, Any]:
        return {**handler(source), **self.bounds}


Slug = Annotated[str, Limits(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
ClaimId = Annotated[str, Limits(pattern=r"^[A-Z][0-9]+$")]
Url = Annotated[str, Limits(pattern=r"^https?://\S+$")]
Scale = Annotated[int, Limits(ge=1, le=5)]
Number = Annotated[float, Limits(allow_inf_nan=False)]
Phrases = Annotated[tuple[str, ...], Limits(min_length=1)]


@record
class ConceptGroup:
    """One idea in the words people use for it: any phrase will do.

    Where the idea is a ``direction``, the usual words for it count as well ("grows", 增加), and an answer that says the
    contrary in its place ("shrinks", 减少) contradicts the point.
    """

    en: Phrases
    zh: Phrases
    direction: Direction | None = None


Concepts = Annotated[tuple[ConceptGroup, ...], Limits(min_length=1)]


@record
class Misconception:
    """A wrong statement that contradicts a key point, and what to say to the one who made it."""

    id: Slug
    concepts: Concepts
    correction: Text


@record
class KeyPoint:
    """A point a good answer makes: a phrase of every concept group is needed.

    Where the point is a harm, ``remedy`` is what averts it: after "divide by √d_k", "so the softmax does not saturate"
    says the point and denies nothing.
    """

    id: Slug
    weight: Weight
    text: Text
    concepts: Concepts
    misconceptions: tuple[Misconception, ...] = ()
    remedy: ConceptGroup | None = None


@record
class Pitfall:
    """A common wrong answer beside the right one; ``refutes`` names the claims of the fact-check that it corrects."""

    wrong: Text
    right: Text
    refutes: tuple[ClaimId, ...] = ()


@record
class FollowUp:
    """What the interviewer asks next; ``when_missing`` is the id of the key point whose absence provokes it."""

    question: Text
    answer: Text
    when_missing: Slug | None = None


@record
class Experience:
    """How to tie the answer to one's own work, honestly."""

    llm_training: Text
    classic_nlp: Text
    no_project: Text


@record
class Reference:
    """A source that was read: where in it, and where it is found (a book may have no address)."""

    title: str
    year: Annotated[int, Limits(ge=1900, le=2100)]
    section: str = ""
    url: Url = ""


@record
class Claim:
    """A number said in the texts, and the lab value that proves it: ``|value - expected| <= tolerance``."""

    statement: Text
    lab: Slug
    value: str
    expected: Number
    tolerance: Annotated[float, Limits(allow_inf_nan=False, ge=0)]


@record
class Examples:
    """Sentences as candidates say them about the key point ``point``: rightly, and wrongly. In either language.

    The marker learns from them which of the two an answer is closer to (:mod:`interview_coach.marking.examples`).
    """

    point: Slug
    right: Phrases
    wrong: Phrases


@record
class Question:
    """An interview question with everything needed to ask, answer, mark and explain it.

    ``level`` runs from 1 (everybody should know) to 5 (an expert), ``frequency`` from 1 (rare) to 5 (nearly always
    asked). ``answer`` is Markdown; ``elevator`` is what can be said in 30 seconds.
    """

    id: Slug
    topic: Slug
    tags: tuple[Slug, ...]
    level: Scale
    frequency: Scale
    kind: Kind
    prompt: Text
    intent: Text
    answer: Text
    elevator: Text
    key_points: Annotated[tuple[KeyPoint, ...], Limits(min_length=1)]
    pitfalls: tuple[Pitfall, ...]
    follow_ups: tuple[FollowUp, ...]
    experience: Experience
    references: tuple[Reference, ...]
    exercise: Slug | None = None
    lab: Slug | None = None
    claims: tuple[Claim, ...] = ()
    examples: tuple[Examples, ...] = ()
