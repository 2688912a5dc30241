"""What a guest may take: processor time where it works, the wall where it waits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from interview_coach.grading.allowance import PATIENCE, SLICES, Allowance


def seconds_until_over(share: float | None) -> float:
    """Wall time after which 8 s are used up by a process that gets this share of a processor."""
    passed = 0.0
    allowance = Allowance(8.0, lambda: None if share is None else passed * share)
    while allowance.left > 0:
        step = allowance.soon
        passed += step
        allowance.spend(step)
    return passed


@pytest.mark.parametrize(
    ("share", "wall"),
    [
        (1.0, 8.0),
        (4.0, 8.0),  # threads of its own do not end it earlier
        (0.0, 8.0),  # asleep
        (None, 8.0),  # no such clock
        (0.01, 8.0),  # as good as asleep
        (0.5, 15.0),  # the first slice counts by the wall
        (0.1, 8.0 * PATIENCE),  # an end to all patience
    ],
)
def test_what_counts_is_the_work_or_the_sleep(share: float | None, wall: float) -> None:
    assert seconds_until_over(share) == pytest.approx(wall, abs=8.0 / SLICES)


def test_the_processor_is_not_asked_about_quick_calls() -> None:
    asked: Iterator[float] = iter(())
    allowance = Allowance(8.0, lambda: next(asked))
    for _ in range(7):
        allowance.spend(0.1)
    assert allowance.left == 8.0


def test_a_new_process_in_place_of_the_old_one_counts_by_the_wall() -> None:
    times = iter([5.0, 0.1])
    allowance = Allowance(8.0, lambda: next(times))
    allowance.spend(1.0)
    allowance.spend(1.0)
    assert allowance.left == 6.0
