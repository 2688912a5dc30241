"""How what a call costs grows with the length: bytes and operations are counted, not timed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from interview_coach.grading.protocol import Outcome
from interview_coach.grading.report import CostSummary
from interview_coach.records import record

LENGTHS = (64, 128, 256)
LONGER = (512, 1024, 2048)
DRAWN = (64, 128, 256, 512, 1024)
"""Lengths where the growth is drawn."""
LONGEST = 2048
"""Up to here lengths are doubled until it shows how a cost grows: a tile may be longer than a short sequence."""
PATIENCE_S = 1.0
"""A call that took so long is not repeated at twice the length."""
LINEAR, SQUARE = 1.2, 1.5
"""Exponents: up to the first the growth is that of S, from the second on it is none of the kind."""
_NEAR = 0.2
"""How far from a whole number an exponent may be that shows how a cost grows."""
_ALONE = 3.0
"""By so much a single allocation grows at twice the length if it is S x S."""


@record
class Growth:
    """Peak bytes, largest single allocation and operations at lengths that double."""

    lengths: tuple[int, ...]
    peaks: tuple[int, ...]
    largest: tuple[int, ...]
    flops: tuple[int, ...]

    @property
    def memory(self) -> float | None:
        """The exponent of the memory."""
        return exponent(self.peaks)

    @property
    def work(self) -> float | None:
        """The exponent of the operations."""
        return exponent(self.flops)

    @property
    def square(self) -> bool:
        """Whether memory grows with the square of the length, all in all or in one allocation."""
        alone = len(self.largest) > 1 and self.largest[-2] > 0 and self.largest[-1] / self.largest[-2] > _ALONE
        return alone or (self.memory or 0.0) > SQUARE

    @property
    def linear(self) -> bool:
        """Whether memory clearly grows with the length, or not at all."""
        return not self.square and (self.memory or 0.0) <= LINEAR

    @property
    def settled(self) -> bool:
        """Whether both exponents are near a whole number, as those of a cost that grows evenly are."""
        found = [power for power in (self.memory, self.work) if power is not None]
        return all(power > -_NEAR and abs(power - round(power)) <= _NEAR for power in found)

    def joined(self, other: Growth) -> Growth:
        """The counts at these lengths and then at longer ones."""
        return Growth(
            self.lengths + other.lengths,
            self.peaks + other.peaks,
            self.largest + other.largest,
            self.flops + other.flops,
        )

    def summary(self) -> CostSummary:
        """The part of a report; of the longest length."""
        memory, work = self.memory, self.work
        return CostSummary(
            flops=self.flops[-1],
            peak_bytes=self.peaks[-1],
            memory_exponent=None if memory is None else round(memory, 2),
            flops_exponent=None if work is None else round(work, 2),
            lengths=self.lengths,
            peaks=self.peaks,
            operations=self.flops,
        )


def exponent(values: Sequence[int]) -> float | None:
    """p of ``a + b S^p`` through values at lengths that double: what is constant in them does not count."""
    if len(values) < 2 or values[-1] <= 0:
        return None
    rises = [after - before for before, after in itertools.pairwise(values)]
    if rises[-1] <= 0:
        return 0.0
    if len(rises) > 1 and rises[-2] > 0:
        return math.log2(rises[-1] / rises[-2])
    return math.log2(values[-1] / values[-2]) if values[-2] > 0 else None


Watch = frozenset[str]
MEMORY, WORK = frozenset({"memory"}), frozenset({"work"})


def watches(framework: str) -> tuple[Watch, ...]:
    """The instruments of one call after another: the operations of numpy are counted in a call of their own."""
    return (MEMORY,) if framework == "torch" else (MEMORY, WORK)


def joined(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome of the call whose memory was counted, with the operations of the other."""
    first, *others = outcomes
    for other in others:
        if first.cost is not None and other.failure is None and other.cost is not None:
            first = replace(first, cost=replace(first.cost, flops=other.cost.flops))
    return first


Run = Callable[[int, Watch], Outcome]
"""Makes a call at a length under some instruments."""


def measure(run: Run, framework: str, lengths: Sequence[int]) -> Growth | None:
    """Counts at the lengths, as many as bring a result in time; ``None`` if fewer than two do."""
    outcomes = []
    for length in lengths:
        outcomes.append(joined([run(length, watch) for watch in watches(framework)]))
        if outcomes[-1].failure is not None or outcomes[-1].seconds > PATIENCE_S:
            break
    return growth_of(lengths, outcomes, least=2)


def settle(growth: Growth, run: Run, framework: str, least: int = 0) -> Growth:
    """The counts at more lengths, as long as these are below ``least`` or do not show how the cost grows."""
    while growth.lengths[-1] < least or (not growth.settled and growth.lengths[-1] < LONGEST):
        length = 2 * growth.lengths[-1]
        outcome = joined([run(length, watch) for watch in watches(framework)])
        more = growth_of([length], [outcome])
        if more is None:
            break
        growth = growth.joined(more)
        if outcome.seconds > PATIENCE_S:
            break
    return growth


def growth_of(lengths: Sequence[int], outcomes: Sequence[Outcome], least: int = 1) -> Growth | None:
    """What came of calls at the lengths, up to the first that failed; ``None`` for fewer than ``least``."""
    costs = []
    for length, outcome in zip(lengths, outcomes, strict=False):
        if outcome.failure is not None or outcome.cost is None:
            break
        costs.append((length, outcome.cost))
    if len(costs) < least:
        return None
    return Growth(
        tuple(n for n, _ in costs),
        tuple(c.peak_bytes for _, c in costs),
        tuple(c.largest_bytes for _, c in costs),
        tuple(c.flops for _, c in costs),
    )
