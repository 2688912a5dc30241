"""How far outputs are from the truth, and how far a careful computation is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interview_coach.grading.functions.task import Array, Case, Output, Outputs, Rng, Task
from interview_coach.grading.numbers import EPSILON, relative_error, round_to
from interview_coach.grading.reference import FLOOR, SLACK

_DRAWS = 4
HALF_FLOOR = 2e-2
"""Relative error below which half precision is never called wrong: the mildest bugs move an output further."""
HALF_FIT = 8e-3
"""Largest distance at which a variant is what a computation in half precision meant."""


def distance(got: Array, want: Array, scale: float = 0.0) -> float:
    """Largest difference over the largest expected value, or over ``scale`` if that is larger. NaN equals nothing."""
    if got.shape != want.shape:
        return float("inf")
    finite = np.isfinite(want)
    if not np.array_equal(got[~finite], want[~finite]) or not np.isfinite(got[finite]).all():
        return float("inf")
    if not finite.any():
        return 0.0
    size = max(scale, float(np.abs(want[finite]).max(initial=0.0)))
    with np.errstate(over="ignore"):
        worst = float(np.abs(got[finite] - want[finite]).max(initial=0.0))
    return worst / size if size > 0 else worst


def worst(got: Outputs, want: Outputs, outputs: Sequence[Output], case: Case) -> float:
    """The largest distance of all outputs."""
    if len(got) != len(want):
        return float("inf")
    return max(distance(g, w, o.scale(case)) for g, w, o in zip(got, want, outputs, strict=True))


def in_precision(case: Case, task: Task, dtype: Any) -> Case:
    """The case with its floating arrays in ``dtype``."""
    arrays = [r.name for r in task.roles if r.kind == "float" and r.axes and case.get(r.name) is not None]
    return {**case, **{name: case[name].astype(dtype) for name in arrays}}


def allowed(task: Task, case: Case, want: Outputs, outputs: Sequence[Output]) -> tuple[float, ...]:
    """For each output what single precision is allowed: 1e-5, or 20 times the error of the oracle run in it.

    In half precision: 2e-2, or 5 times the error that cannot be avoided.
    """
    if task.narrow_dtype:
        sticks = yardsticks(task, case, want, outputs, task.dtype, np.random.default_rng(len(outputs)))
        return tuple(max(HALF_FLOOR, 5 * s) for s in sticks)
    with np.errstate(all="ignore"):
        careful = task.truth(in_precision(case, task, np.float32))
    kept = [c for c, o in zip(careful, task.outputs, strict=True) if o in outputs]
    errors = [
        distance(np.asarray(c, np.float64), w, o.scale(case)) for c, w, o in zip(kept, want, outputs, strict=True)
    ]
    # Logits this large are off by several units in the last place, whatever order they were summed in.
    rounding = 12 * EPSILON["float32"] * task.logits(case)
    return tuple(max(FLOOR, SLACK * min(e, 1e-3), rounding) for e in errors)


def yardsticks(
    task: Task, case: Case, want: Outputs, outputs: Sequence[Output], dtype: str, rng: Rng
) -> tuple[float, ...]:
    """For each output the error that a careful computation in ``dtype`` cannot avoid.

    It is that of rounding the result or the logits, or of inputs that are off by half a unit in the last place: a
    computation whose intermediates are rounded is no better than one whose inputs are.
    """
    least = EPSILON[dtype] / 4 * max(2.0, task.logits(case))
    found = [max(relative_error(round_to(w, dtype), w) if w.size else 0.0, least) for w in want]
    names = [r.name for r in task.roles if r.kind == "float" and r.axes and case.get(r.name) is not None]
    for _ in range(_DRAWS):
        moved = dict(case)
        for name in names:
            moved[name] = case[name] * (1 + EPSILON[dtype] / 2 * rng.choice([-1.0, 1.0], size=case[name].shape))
        with np.errstate(all="ignore"):
            values = task.truth(moved)
        kept = [v for v, o in zip(values, task.outputs, strict=True) if o in outputs]
        for i, (value, w, o) in enumerate(zip(kept, want, outputs, strict=True)):
            off = distance(value, w, o.scale(case))
            if np.isfinite(off):
                found[i] = max(found[i], off)
    return tuple(found)
