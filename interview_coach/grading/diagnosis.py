"""Which wrong variant a submission computes: the nearest member of the family, on every observation at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import Family, NotApplicable
from interview_coach.grading.numbers import relative_error

Choice = dict[str, str]

FIT = 1e-4
"""Largest relative distance at which a variant counts as what the submission computes."""
EXACT = 1e-5
"""Up to this distance the output is the truth itself; a weak fill may be nearer than :data:`FIT`, and is a bug."""
MOST_PAIRS = 6000
"""Pairs that are tried, of some 3000: a count, and no time, so that a slow machine finds what a fast one does."""
_EMPTYING = frozenset({"causal", "window"})
"""Stages whose variants may leave a row nothing to attend to, and then a mean of the values in it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Canonical inputs and the output that a submission gave for them."""

    case: Any
    output: Array


@dataclass(frozen=True, slots=True)
class Explanation:
    """A choice that reproduces every observation; ``residual`` is its largest relative distance."""

    choice: Choice
    residual: float


def residual(family: Family[Any], seen: Iterable[Seen], choice: Choice, limit: float = FIT) -> float:
    """Largest distance of the choice over the observations; ``inf`` as soon as one exceeds ``limit``."""
    worst = 0.0
    for one in seen:
        worst = max(worst, _nearest(family, one, choice))
        if worst > limit:
            return float("inf")
    return worst


def _predict(family: Family[Any], case: Any, choice: Choice) -> Array | None:
    """What the choice computes; a variant that has no meaning for these inputs (one head, no mask) changes nothing."""
    for kept in _parts(choice):
        try:
            return family.evaluate(case.fresh(), {**_conventions(case), **kept})
        except NotApplicable:
            continue
    return None


def _nearest(family: Family[Any], one: Seen, choice: Choice) -> float:
    """Distance of one observation from the choice. Rows that a wrong mask empties may hold 0, NaN or a mean."""
    cases = [one.case]
    if {"causal", "mask", "window"} & set(choice) and hasattr(one.case, "empty_rows"):
        for kind in ("nan", "mean"):
            other = one.case.fresh()
            other.empty_rows = kind
            cases.append(other)
    best = float("inf")
    for case in cases:
        predicted = _predict(family, case, choice)
        if predicted is None or predicted.shape != one.output.shape:
            continue
        # Rows with nothing to attend to follow their own convention; they do not tell variants apart.
        blank = np.isnan(one.output) & np.isnan(predicted)
        best = min(best, relative_error(np.where(blank, 0, one.output), np.where(blank, 0, predicted)))
        if best <= FIT:
            break
    return best


def _parts(choice: Choice) -> list[Choice]:
    """The choice, then what is left of it without one variant, and so on down to the truth."""
    if len(choice) < 2:
        return [choice, {}] if choice else [{}]
    singles: list[Choice] = [{s: n} for s, n in choice.items()]
    return [choice, *singles, {}]


def _conventions(case: Any) -> Choice:
    return dict(getattr(case, "conventions", {}) or {})


def explain(
    family: Family[Any],
    seen: Sequence[Seen],
    *,
    pairs: bool = True,
    prior: Sequence[Choice] = (),
) -> list[Explanation]:
    """Choices that reproduce all observations: the truth, else single variants, else pairs.

    A variant that changes nothing on these inputs is left out of pairs. Several explanations of the same size are all
    returned, in the order of the family; ``prior`` choices are tried first.

    Args:
        family: The computations to choose from.
        seen: Observations; the first is used to reject quickly.
        pairs: Try pairs when no single variant fits.
        prior: Choices to extend, e.g. the explanation of a simpler observation.
    """
    # An output without a finite entry fits every variant that overflows: it tells nothing.
    seen = [one for one in seen if np.isfinite(one.output).any()]
    if not seen:
        return []
    if (distance := residual(family, seen, {})) <= EXACT:
        return [Explanation({}, distance)]
    wrong = family.wrong()
    singles: list[Choice] = [{s: n} for s, n in wrong]
    found = [Explanation(c, r) for c in [*prior, *singles] if (r := residual(family, seen, c)) <= FIT]
    if found or not pairs:
        return _distinct(sorted(found, key=lambda e: (e.residual > EXACT, e.residual > 10 * EXACT)))
    truths = [_truth(family, one) for one in seen]
    usable = [{s: n} for s, n in wrong if family.pairable(s, n) and _usable(family, seen, truths, {s: n})]
    for extra in prior:
        found += [
            Explanation({**c, **extra}, r)
            for c in usable
            if not set(c) & set(extra) and (r := residual(family, seen, {**c, **extra})) <= FIT
        ]
    if found:
        return _distinct(found)
    order = [next(iter(c.items())) for c in usable]
    rounds = [(seen[0].case, frozenset[str]())]
    if any(stage in _EMPTYING for stage, _ in order):
        filled = seen[0].case.fresh()
        filled.empty_rows = "mean"
        rounds.append((filled, _EMPTYING))
    for case, within in rounds:
        pairs_of = family.pairs(case.fresh(), order, _conventions(case), within)
        for choice, predicted in itertools.islice(pairs_of, MOST_PAIRS):
            fits = predicted.shape == seen[0].output.shape and _close(predicted, seen[0].output)
            if fits and (r := residual(family, seen, choice)) <= FIT:
                return [Explanation(choice, r)]
    return []


def _close(predicted: Array, output: Array) -> bool:
    """A first look at one entry in eight, before the whole is compared."""
    a, b = predicted.reshape(-1)[::8], output.reshape(-1)[::8]
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= 10 * FIT * (1.0 + np.abs(b).max())
        return bool(near.all() or (near | (np.isnan(a) & np.isnan(b))).all())


def _truth(family: Family[Any], one: Seen) -> Array | None:
    try:
        return family.evaluate(one.case.fresh(), _conventions(one.case))
    except NotApplicable:
        return None


def _usable(family: Family[Any], seen: Sequence[Seen], truths: Sequence[Array | None], choice: Choice) -> bool:
    """Whether the variant changes something on at least one observation."""
    for one, truth in zip(seen, truths, strict=True):
        if truth is None:
            continue
        try:
            changed = family.evaluate(one.case.fresh(), {**_conventions(one.case), **choice})
        except NotApplicable:
            continue
        if changed.shape != truth.shape or not np.allclose(changed, truth, rtol=0, atol=1e-9, equal_nan=True):
            return True
    return False


def _distinct(found: list[Explanation]) -> list[Explanation]:
    seen: set[tuple[tuple[str, str], ...]] = set()
    kept = []
    for one in found:
        key = tuple(sorted(one.choice.items()))
        if key not in seen:
            seen.add(key)
            kept.append(one)
    return kept
