"""How long a guest may take: its own processor time where it works, time on the wall where it waits.

A busy machine thus takes nothing from it, and sleeping gains it nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from interview_coach.grading.protocol import counted

SLICES = 8
"""The processor time is asked for so many times while an allowance is used up, and not at all for what is quick."""

PATIENCE = 3.0
"""So many times the seconds may pass on the wall, whatever was done in them."""


class Allowance:
    """Seconds that a process may take.

    Args:
        seconds: How many.
        processor_s: Processor seconds that the process has taken so far; None where that cannot be known, and the
            wall counts alone.
    """

    def __init__(self, seconds: float, processor_s: Callable[[], float | None]) -> None:
        self.left = seconds
        self._slice, self._wall_left = seconds / SLICES, seconds * PATIENCE
        self._processor_s = processor_s
        self._before: float | None = None
        self._passed = 0.0

    def spend(self, passed: float) -> None:
        """Take note of seconds that passed on the wall; ``left`` follows in slices."""
        self._passed += passed
        if self._passed < min(self._slice, self.left):
            return
        now, wall = self._processor_s(), self._passed
        busy = 0.0 if now is None or self._before is None else now - self._before
        self._wall_left -= wall
        self.left = min(self.left - counted(wall, busy), self._wall_left)
        self._before, self._passed = now, 0.0

    @property
    def soon(self) -> float:
        """Seconds on the wall after which there is something to spend."""
        return max(0.0, min(self._slice, self.left) - self._passed)


class Wait:
    """A wait for an answer within an allowance, from a moment of the monotonic clock on."""

    def __init__(self, allowance: Allowance, since: float) -> None:
        self._allowance, self._since = allowance, since

    @property
    def until(self) -> float:
        """When to look again at what is left, if no answer came."""
        return self._since + self._allowance.soon

    def over(self) -> bool:
        """Whether nothing is left now."""
        now = time.monotonic()
        self._allowance.spend(now - self._since)
        self._since = now
        return self._allowance.left <= 0
