"""Calls on the same arrays with other numbers in them, as a program makes that fills its buffers anew.

A result that is remembered by the address or the identity of an array is right as long as each call brings new ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interview_coach.grading.failures import SubmissionError
from interview_coach.grading.guest import Guest
from interview_coach.grading.protocol import Call, Outcome, Record, Ref, Tensor


def remembers(guest: Guest, outcomes: Sequence[Outcome]) -> bool:
    """Whether the second of two calls of the guest, made on the arrays of the first, gives what the first gave."""
    calls = [next((s.call for s in reversed(guest.steps) if s.outcome is outcome), None) for outcome in outcomes]
    first, second = (_arrays(call) for call in calls)
    call = calls[0]
    if (
        call is None
        or not first
        or {n: t.data.shape for n, t in first.items()} != {n: t.data.shape for n, t in second.items()}
    ):
        return False
    try:
        held = guest.place(Record(dict(first)), call.framework)

        def given(key: str, value: Any) -> Any:
            return Ref(held.call, (key,)) if key in first else value

        args = tuple(given(f"at{number}", value) for number, value in enumerate(call.args))
        kwargs = {name: given(f"by_{name}", value) for name, value in call.kwargs.items()}
        again = replace(call, args=args, kwargs=kwargs, watch=frozenset(), keep=False)
        before = guest.call(again)
        guest.assign(held, second)
        after = guest.call(again)
    except SubmissionError:
        return False
    return _same(before.value, after.value)


def _arrays(call: Call | None) -> dict[str, Tensor]:
    if call is None:
        return {}
    named = [(f"at{number}", value) for number, value in enumerate(call.args)]
    named += [(f"by_{name}", value) for name, value in call.kwargs.items()]
    return {name: value for name, value in named if isinstance(value, Tensor)}


def _same(before: Any, after: Any) -> bool:
    """Whether two results hold the same numbers, which say something."""
    if isinstance(before, list | tuple) and before and isinstance(after, list | tuple) and after:
        return _same(before[0], after[0])
    if not (isinstance(before, Tensor) and isinstance(after, Tensor)) or before.data.shape != after.data.shape:
        return False
    if before.data.size < 2 or not np.array_equal(before.data, after.data, equal_nan=True):
        return False
    finite = before.data[np.isfinite(before.data)]
    return bool(finite.size and finite.std() > 0)
