"""Which wrong variant a submission computes: the nearest member of the family, on every observation at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import Family, NotApplicable
from interview_coach.grading.numbers import relative_error
from interview_coach.records import record

Choice = dict[str, str]

FIT = 1e-4
"""Largest relative distance at which a variant counts as what the submission computes."""
EXACT = 1e-5
"""Up to this distance the output is the truth itself; a weak fill may be nearer than :data:`FIT`, and is a bug."""
MOST_PAIRS = 6000
"""Pairs that are tried, of some 3000: a count, and no time, so that a slow machine finds what a fast one does."""
_HIDING = frozenset({"causal", "mask", "window"})
_EMPTYING = frozenset({"causal", "window"})
"""Stages whose variants may leave a row nothing to attend to, and then a mean of the values in it."""


@record
class Seen:
    """Canonical inputs and the output that a submission gave for them."""

    case: Any
    output: Array


@record
class Explanation:
    """A choice that reproduces every observation; ``residual`` is its largest relative distance."""

    choice: Choice
    residual: float


class Predictions:
    """What a choice computes on a case, worked out once; the cases must stay as they are meanwhile."""

    def __init__(self, family: Family[Any]) -> None:
        self.family = family
        self._known: dict[tuple[int, str, tuple[tuple[str, str], ...]], tuple[Any, Array | None]] = {}

    def of(self, case: Any, choice: Choice, empty_rows: str = "") -> Array | None:
        """The output, on a case whose empty rows may be filled in another way; ``None`` if it has no meaning here."""
        whole = {**_conventions(case), **choice}
        key = (id(case), empty_rows, tuple(sorted(whole.items())))
        if key not in self._known:
            flow = case.fresh()
            if empty_rows:
                flow.empty_rows = empty_rows
            try:
                output = self.family.evaluate(flow, whole)
            except NotApplicable:
                output = None
            if len(choice) > 1:
                return output
            self._known[key] = case, output  # the case, so that no other comes to its address
        return self._known[key][1]


def residual(
    family: Family[Any],
    seen: Iterable[Seen],
    choice: Choice,
    limit: float = FIT,
    predictions: Predictions | None = None,
) -> float:
    """Largest distance of the choice over the observations; ``inf`` as soon as one exceeds ``limit``."""
    worst = 0.0
    predictions = predictions or Predictions(family)
    for one in seen:
        worst = max(worst, _nearest(predictions, one, choice))
        if worst > limit:
            return float("inf")
    return worst


def _predict(predictions: Predictions, case: Any, choice: Choice, empty_rows: str) -> Array | None:
    """What the choice computes; a variant that has no meaning for these inputs (one head, no mask) changes nothing."""
    found = (predictions.of(case, kept, empty_rows) for kept in _parts(choice))
    return next((output for output in found if output is not None), None)


def _nearest(predictions: Predictions, one: Seen, choice: Choice) -> float:
    """Distance of one observation from the choice. Rows that a wrong mask empties may hold 0, NaN or a mean."""
    emptying = _HIDING & set(choice) and hasattr(one.case, "empty_rows")
    best = float("inf")
    for empty_rows in ("", "nan", "mean") if emptying else ("",):
        predicted = _predict(predictions, one.case, choice, empty_rows)
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
    predictions: Predictions | None = None,
) -> list[Explanation]:
    """Choices that reproduce all observations: the truth, else single variants, else pairs.

    A variant that changes nothing on these inputs is left out of pairs. Several explanations of the same size are all
    returned, in the order of the family; ``prior`` choices are tried first.

    Args:
        family: The computations to choose from.
        seen: Observations; the first is used to reject quickly.
        pairs: Try pairs when no single variant fits.
        prior: Choices to extend, e.g. the explanation of a simpler observation.
        predictions: Of this family, from an earlier search on the same cases.
    """
    # An output without a finite entry fits every variant that overflows: it tells nothing.
    seen = [one for one in seen if np.isfinite(one.output).any()]
    if not seen:
        return []
    predictions = predictions or Predictions(family)

    def far(choice: Choice) -> float:
        return residual(family, seen, choice, predictions=predictions)

    if (distance := far({})) <= EXACT:
        return [Explanation({}, distance)]
    wrong = family.wrong()
    singles: list[Choice] = [{s: n} for s, n in wrong]
    near = _glance(seen[0].output)
    if distance > FIT:
        case = seen[0].case
        looked = list(family.singles(case.fresh(), wrong, _conventions(case)))
        singles = [c for c, predicted in looked if near(predicted) or _HIDING & set(c)]
    found = [Explanation(c, r) for c in [*prior, *singles] if (r := far(c)) <= FIT]
    if found or not pairs:
        return _distinct(sorted(found, key=lambda e: (e.residual > EXACT, e.residual > 10 * EXACT)))
    usable = [{s: n} for s, n in wrong if family.pairable(s, n) and _usable(predictions, seen, {s: n})]
    for extra in prior:
        found += [
            Explanation({**c, **extra}, r)
            for c in usable
            if not set(c) & set(extra) and (r := far({**c, **extra})) <= FIT
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
            if near(predicted) and (r := far(choice)) <= FIT:
                return [Explanation(choice, r)]
    return []


def _glance(output: Array) -> Callable[[Array], bool]:
    """A first look at one entry in eight of what may be an output, before the whole is compared."""
    b = output.reshape(-1)[::8]
    blank, allowed = np.isnan(b), 10 * FIT * (1.0 + np.abs(b).max())

    def near(predicted: Array) -> bool:
        if predicted.shape != output.shape:
            return False
        a = predicted.reshape(-1)[::8]
        with np.errstate(invalid="ignore"):
            close = np.abs(a - b) <= allowed
        return bool(close.all() or (close | (np.isnan(a) & blank)).all())

    return near


def _usable(predictions: Predictions, seen: Sequence[Seen], choice: Choice) -> bool:
    """Whether the variant changes something on at least one observation."""
    for one in seen:
        truth, changed = predictions.of(one.case, {}), predictions.of(one.case, choice)
        if truth is None or changed is None:
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
