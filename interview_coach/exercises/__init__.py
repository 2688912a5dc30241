"""The exercises: one module each, found by looking into this package."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from interview_coach.exercises.base import Exercise

__all__ = ["Exercise", "exercises", "practising"]


@cache
def exercises() -> Mapping[str, Exercise]:
    """All exercises by id, in the order of the curriculum."""
    found: list[Exercise] = [
        importlib.import_module(f"{__name__}.{module.name}").EXERCISE
        for module in pkgutil.iter_modules(__path__)
        if module.name != "base"
    ]
    return {e.id: e for e in sorted(found, key=lambda e: (e.order, e.id))}


def practising(question: str, named: str | None = None) -> tuple[str, ...]:
    """Ids of the exercises that practise a question: the one it names, and those that it is the first to explain."""
    first = (e.id for e in exercises().values() if e.questions[0] == question)
    return tuple(dict.fromkeys([*([named] if named else []), *first]))
