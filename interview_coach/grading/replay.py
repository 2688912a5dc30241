"""Some of a submission's calls once more, in a fresh process where the library's attention is not to be had.

What is only right after other calls, reads what they left, changes its inputs or hands the work to the library comes
out differently there, however well that was hidden from the instruments: the numbers tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from threading import Thread
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.answers import Step
from interview_coach.grading.failures import SubmissionError, cut_short
from interview_coach.grading.guest import Guest
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.protocol import Call, Outcome, Ref, Tensor
from interview_coach.records import record

TOLERANCE = {"float16": 1e-2, "bfloat16": 1e-1}
"""Relative, of outputs in that dtype."""

SLOW_S = 0.5
"""A call that took longer is not repeated where there is another."""

PATIENCE_S, PATIENCE = 1.0, 20.0
"""What a call may take at first: so long, and so many times what it took before. It may wait for what is withheld."""

FIRST_S = 4.0
"""The same for the first call of a process. What takes longer is asked once more, with all the time there is."""

OPEN = "the call did not come back in a process that made no others"

LARGE, LONG = 50.0, 16
_MAX_CALLS = 12


@record
class Finding:
    """What came out differently: the bug's code, and a line that tells where.

    There is no code where something did not come back, which leaves it open whether it is different.
    """

    check: str
    code: str | None
    detail: str


class Fresh:
    """A fresh process, made in the background while the first one works, and asked some of the same calls.

    Args:
        make: Makes it.
        release: Ends it without waiting for its end.
    """

    def __init__(self, make: Callable[[], Guest], release: Callable[[Guest], None]) -> None:
        self._make, self._release = make, release
        self._guest: Guest | None = None
        self._broken = False
        self._asked: list[Asked] = []
        self._kinds: set[Any] = set()
        self._looked_at = 0
        self._made: dict[int, Ref] = {}
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._guest = self._make()
        except SubmissionError:
            self._broken = True

    def ask(self, steps: Sequence[Step]) -> None:
        """Send a call of each kind that the first process was asked and this one was not; nothing is waited for."""
        self._thread.join()
        found = _of_each_kind(steps[self._looked_at :])
        new = _single_first(step for kind, step in found.items() if kind not in self._kinds)
        self._kinds.update(found)
        self._looked_at = len(steps)
        if self._guest is not None:
            try:
                self._asked += _repeat(self._guest, steps, new, 2, self._made, begun=bool(self._asked))
            except SubmissionError:
                self._broken = True

    def agrees(self, steps: Sequence[Step]) -> bool | None:
        """Whether everything comes out as it did in the first process; None if not everything came back."""
        self.ask(steps)
        return None if self._broken else _compare(self._asked)

    def dismiss(self) -> None:
        """End the process, without waiting for its end."""
        self._thread.join()
        guest, self._guest = self._guest, None
        if guest is not None:
            self._release(guest)

    def close(self) -> None:
        """End the process, if that has not happened, and wait for it."""
        self._thread.join()
        guest, self._guest = self._guest, None
        if guest is not None:
            guest.close()


def replay(
    guest: Guest,
    reopen: Callable[[tuple[str, ...]], Guest],
    without: tuple[str, ...],
    fresh: Fresh | None = None,
) -> Finding | None:
    """Compare the guest's calls with those of a fresh process; None if they agree.

    Only what came back tells something. A call that does not come back is asked again with more time; if it still
    does not where the library is withheld, but does where the library is all there, it waits for the library.

    Args:
        guest: The process that has been asked.
        reopen: Loads the submission once more, with parts of the library withheld.
        without: Those parts, names of :data:`interview_coach.grading.worker.library.PARTS`.
        fresh: Such a process, if there is one already.
    """
    same = None if fresh is None else fresh.agrees(guest.steps)
    if same or not (chosen := choose(guest.steps)):
        return None
    agree = partial(_agrees, guest.steps, chosen, reopen)
    if fresh is None:
        same = agree(without)
    if same is None:
        same = agree(without, patient=True)
    if same:
        return None
    plain = agree((), patient=True)
    if plain or (plain is None and same is False and without):
        if not without:
            return None
        parts = " and ".join(without)
        return Finding(
            "hygiene.own-implementation",
            "delegates-to-library",
            f"without the library's own {parts} the result is another",
        )
    if plain is None:
        return Finding("hygiene.fresh-process", None, OPEN)
    if agree((), times=1, patient=True):
        return Finding(
            "hygiene.inputs-unchanged", "mutates-inputs", "called again on the same arrays it gives another result"
        )
    return Finding(
        "hygiene.fresh-process", "stale-result", "the same call in a process that made no others gives another result"
    )


def choose(steps: Sequence[Step]) -> list[Step]:
    """Calls that brought an array, the last of each kind: dtype, mask, length, size of the values.

    The first to be repeated thus is not the first that was made: what only the first call gets wrong shows. It is in
    single precision, in which a small error shows as well.
    """
    return _single_first(_of_each_kind(steps).values())


def _of_each_kind(steps: Sequence[Step]) -> dict[Any, Step]:
    """The last call of each kind, the latest first."""
    settled = _settled(steps)
    found: dict[Any, Step] = {}
    for step in reversed(steps):
        if step.call is None or step.outcome is None or not _arrays(step.outcome.value):
            continue
        if step.call.cotangent is not None or (found and step.outcome.seconds > SLOW_S):
            continue
        if any(isinstance(value, Ref) for value in (*step.call.args, *step.call.kwargs.values())):
            continue
        if isinstance(step.call.target, Ref) and step.number < settled.get(step.call.target.call, 0):
            continue  # made before the object had its values
        found.setdefault(_kind(step.call), step)
    return dict(islice(found.items(), _MAX_CALLS))


def _single_first(chosen: Iterable[Step]) -> list[Step]:
    return sorted(
        chosen, key=lambda step: step.outcome is not None and _arrays(step.outcome.value)[0].dtype in TOLERANCE
    )


def _kind(call: Call) -> tuple[Any, ...]:
    arrays = [(n, t) for n, t in (*enumerate(call.args), *call.kwargs.items()) if isinstance(t, Tensor)]
    return (
        call.target if isinstance(call.target, str) else call.target.call,
        tuple([(name, t.dtype) for name, t in arrays]),
        max((max(t.data.shape, default=0) for _, t in arrays), default=0) > LONG,
        any(t.data.dtype.kind == "f" and _is_large(t.data) for _, t in arrays),
    )


def _is_large(values: Array) -> bool:
    """Whether a finite magnitude is beyond :data:`LARGE`."""
    largest = np.abs(values).max(initial=0)
    if np.isinf(largest) or np.isnan(largest):
        largest = np.abs(values[np.isfinite(values)]).max(initial=0)
    return bool(largest > LARGE)


def _agrees(
    steps: Sequence[Step],
    chosen: Sequence[Step],
    reopen: Callable[[tuple[str, ...]], Guest],
    without: tuple[str, ...],
    *,
    times: int = 2,
    patient: bool = False,
) -> bool | None:
    """Whether a new process gives the same; None if not everything came back."""
    try:
        with reopen(without) as guest:
            return _compare(_repeat(guest, steps, chosen, times, {}, patient=patient))
    except SubmissionError as problem:
        return None if cut_short(problem.failure) else False


Asked = tuple[Step, Callable[[], Outcome]]


def _compare(asked: Sequence[Asked]) -> bool | None:
    for step, outcome in asked:
        now = outcome()
        if cut_short(now.failure):
            return None
        if not _same(step.outcome, now):
            return False
    return True


def _repeat(
    guest: Guest,
    steps: Sequence[Step],
    chosen: Sequence[Step],
    times: int,
    made: dict[int, Ref],
    *,
    begun: bool = False,
    patient: bool = False,
) -> list[Asked]:
    """Have the chosen calls made, and before them the objects that they are called on."""
    asked: list[Asked] = []
    for number, step in enumerate(chosen):
        assert step.call is not None
        call, target = step.call, step.call.target
        if isinstance(target, Ref):
            if target.call not in made and (failed := _make(guest, steps, target.call, made)) is not None:
                return [*asked, (step, partial(_itself, failed))]
            call = replace(call, target=Ref(made[target.call].call, target.path))
        # The first one alone: what comes out of a process that did nothing before.
        took = step.outcome.seconds if step.outcome is not None else 0.0
        again = replace(call, times=times if number or begun else 1)
        # It may import what the other process imported long before.
        patience = (PATIENCE_S if number or begun else FIRST_S) + PATIENCE * took
        asked.append((step, guest.begin(again, turn=step.number, seconds=None if patient else patience)))
    return asked


def _itself(outcome: Outcome) -> Outcome:
    return outcome


def _make(guest: Guest, steps: Sequence[Step], number: int, made: dict[int, Ref]) -> Outcome | None:
    """Make the object of step ``number`` with the values that were set in it; what failed, if it cannot be made."""
    settled = _settled(steps).get(number, number)
    for step in steps[: next(i for i, s in enumerate(steps) if s.number == settled) + 1]:
        if step.number == number and step.call is not None:
            outcome = guest.call(step.call, turn=step.number)
            if outcome.ref is None:
                return outcome
            made[number] = outcome.ref
        elif step.of == number and step.values is not None:
            guest.assign(made[number], step.values)
        elif step.of == number and step.dtype is not None:
            guest.convert(made[number], step.dtype)
        elif step.call is not None and step.call.target == Ref(number):
            # Lazy layers have no weights to set before they were called.
            guest.call(replace(step.call, target=made[number]), turn=step.number)
    return None


def _settled(steps: Sequence[Step]) -> dict[int, int]:
    """For each object, the step that last set something in it."""
    return {step.of: step.number for step in steps if step.of is not None}


def _same(earlier: Outcome | None, now: Outcome) -> bool:
    assert earlier is not None
    before, after = _arrays(earlier.value), _arrays(now.value)
    return len(before) == len(after) and all(_close(a, b) for a, b in zip(before, after, strict=True))


def _close(before: Tensor, after: Tensor) -> bool:
    if before.data.shape != after.data.shape:
        return False
    if before.data.dtype.kind != "f" or not np.isfinite(before.data).all():
        return True
    want, got = before.data.astype(np.float64), after.data.astype(np.float64)
    return relative_error(got, want) <= TOLERANCE.get(before.dtype, 1e-5)


def _arrays(value: Any) -> list[Tensor]:
    """The floating arrays of a result, in order."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        return _arrays(list(value.values()))
    if isinstance(value, list | tuple):
        return [tensor for item in value for tensor in _arrays(item)]
    return []
