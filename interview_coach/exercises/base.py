"""What an exercise is: its stub, its hints, and what it requires of a submission."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from interview_coach.records import record
from interview_coach.text import Text


@record
class Exercise:
    """One exercise. A module of this package with a top-level ``EXERCISE`` is one: nothing else lists it.

    Attributes:
        id: Its name in commands and reports.
        title: One line.
        stub: The file that ``coach start`` writes; its docstring is the contract.
        hints: Three, the last nearly the answer.
        questions: Ids of the bank's questions that explain it.
        family: The family of computations that holds its truth: ``softmax``, ``attention``, or ``function`` for a plain
            function of arrays, whose task is in :mod:`interview_coach.grading.functions.tasks`.
        names: Regular expression for names of callables that mean this exercise.
        causal: Whether the truth is causal.
        grouped: Whether there are fewer key/value heads than query heads.
        windowed: Whether a window limits what a query sees.
        alibi: Whether a bias that grows with the distance is added to the scores.
        attends: Of a plain function: whether a module with projections of its own is graded as well, as an attention.
        forbidden: Library calls, beyond attention itself, that would do the whole exercise.
        first_hint: What failed → the level of the hint that speaks of it: the code of a bug, the id of a check, else
            its group. A key that ends in a hyphen stands for all codes that start so.
        order: Place in listings.
    """

    id: str
    title: Text
    stub: str
    hints: tuple[Text, Text, Text]
    questions: tuple[str, ...]
    family: str
    names: str
    causal: bool = False
    grouped: bool = False
    windowed: bool = False
    alibi: bool = False
    attends: bool = False
    forbidden: frozenset[str] = frozenset()
    first_hint: Mapping[str, int] = field(default_factory=dict)
    order: int = 0

    def matches(self, name: str) -> bool:
        """Whether a callable's name means this exercise."""
        return re.fullmatch(self.names, re.sub(r"[_\W]", "", name).lower()) is not None
