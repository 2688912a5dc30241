"""What comes back from a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from interview_coach.arrays import Array
from interview_coach.grading.protocol import Failure, Outcome, Tensor
from interview_coach.records import record


@record
class Observed:
    """What came back from one call, read into canonical order.

    ``output`` is ``None`` when there was none; ``problem`` then says why.
    """

    output: Array | None
    outcome: Outcome
    raw: Tensor | None = None
    problem: str = ""
    gradients: Mapping[str, Array | None] = field(default_factory=dict)


class Observation:
    """What comes back from one call. It is waited for when it is first looked at."""

    def __init__(self, wait: Callable[[], Observed]) -> None:
        self._wait = wait

    @cached_property
    def _observed(self) -> Observed:
        return self._wait()

    @property
    def output(self) -> Array | None:
        """The output in canonical order; ``None`` when there was none."""
        return self._observed.output

    @property
    def outcome(self) -> Outcome:
        """The outcome of the call."""
        return self._observed.outcome

    @property
    def raw(self) -> Tensor | None:
        """The output as it came."""
        return self._observed.raw

    @property
    def problem(self) -> str:
        """Why there is no output."""
        return self._observed.problem

    @property
    def gradients(self) -> Mapping[str, Array | None]:
        """Gradients by role, in canonical order."""
        return self._observed.gradients

    @property
    def failure(self) -> Failure | None:
        """The failure of the call, if it failed."""
        return self.outcome.failure


def describe(value: Any) -> str:
    """A result in words: ``None``, ``a list of 3``, ``a str``."""
    if value is None:
        return "None"
    if isinstance(value, Tensor):
        return f"an array of shape {tuple(value.data.shape)}"
    if isinstance(value, list | tuple | dict):
        return f"a {type(value).__name__} of {len(value)}"
    return f"a {getattr(value, 'type_name', type(value).__name__)}"
