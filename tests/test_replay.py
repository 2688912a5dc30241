"""Calls repeated in a fresh process: what comes back decides, what does not come back leaves it open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from interview_coach.grading.answers import Step
from interview_coach.grading.failures import SubmissionError, failure
from interview_coach.grading.protocol import Call, Outcome, Tensor
from interview_coach.grading.replay import replay

RIGHT, WRONG = (Outcome(Tensor(np.full((2, 3), n, np.float32), "float32")) for n in (1.0, 2.0))
LATE, KILLED = (Outcome(failure=f) for f in (failure("timeout", seconds=4), failure("signal", signal="SIGKILL")))
RAISED = Outcome(failure=failure("raised", exception="RuntimeError", detail="not available"))


class Answering:
    """A process that answers every call with the same outcome."""

    def __init__(self, outcome: Outcome) -> None:
        call = Call("attention", (Tensor(np.ones((2, 3), np.float32), "float32"),))
        self.steps, self._outcome = [Step(1, call, outcome)], outcome

    def begin(self, call: Call, **_: object) -> Callable[[], Outcome]:
        return lambda: self._outcome


def code(withheld: list[Outcome | None], whole: list[Outcome | None], without: tuple[str, ...]) -> Any:
    """What is found where fresh processes answer so, one after another; a process that is None does not load."""
    left = {False: list(whole), True: list(withheld)}

    @contextmanager
    def reopen(parts: tuple[str, ...]) -> Iterator[Answering]:
        outcome = left[bool(parts)].pop(0)
        if outcome is None:
            raise SubmissionError(failure("timeout-load", seconds=20))
        yield Answering(outcome)

    found = replay(Answering(RIGHT), reopen, without)  # type: ignore[arg-type]
    assert not left[True], "asked less often than it should be"
    return found and (found.code or found.check)


@pytest.mark.parametrize(
    ("withheld", "whole", "found"),
    [
        ([RIGHT], [], None),
        ([LATE, RIGHT], [], None),
        ([KILLED, RIGHT], [], None),
        ([None, RIGHT], [], None),
        ([LATE, LATE], [LATE], "hygiene.fresh-process"),
        ([None, None], [None], "hygiene.fresh-process"),
        ([RAISED], [RIGHT], "delegates-to-library"),
        ([LATE, RAISED], [RIGHT], "delegates-to-library"),
        ([RAISED], [LATE], "delegates-to-library"),
        ([LATE, LATE], [RIGHT], "delegates-to-library"),  # it waits for what is withheld
        ([WRONG], [WRONG, RIGHT], "mutates-inputs"),
        ([WRONG], [WRONG, WRONG], "stale-result"),
    ],
)
def test_only_what_comes_back_decides(
    withheld: list[Outcome | None], whole: list[Outcome | None], found: str | None
) -> None:
    assert code(withheld, whole, ("attention",)) == found


def test_nothing_withheld_is_no_library_missed() -> None:
    assert code([], [WRONG, RIGHT], ()) is None
    assert code([], [WRONG, WRONG, WRONG], ()) == "stale-result"
