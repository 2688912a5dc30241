"""Tables of rotary angles that an attention is handed: what they hold, and in which shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.inputs import Rotation
from interview_coach.grading.layouts import floating_tensor
from interview_coach.grading.protocol import Tensor, Value

if TYPE_CHECKING:
    from interview_coach.grading.binding import Argument

Shape = Callable[[Array], Array]

_SHAPES: Mapping[str, Shape] = {
    "both": lambda a: np.concatenate((a, a), axis=-1),
    "half": lambda a: a,
    "twice": lambda a: np.repeat(a, 2, axis=-1),
    "batch": lambda a: np.concatenate((a, a), axis=-1)[None],
    "heads": lambda a: np.concatenate((a, a), axis=-1)[None, None],
    "half-batch": lambda a: a[None],
}
"""Angles ``(S, D/2)`` as a table: for both halves of the channels, one for each pair, each twice; with axes before."""

_FORMS: Mapping[str, Sequence[str]] = {
    "cos": tuple(_SHAPES),
    "cos_sin": tuple(_SHAPES),
    "freqs": ("complex", "both", "half", "stacked", "twice", "batch", "heads", "half-batch"),
}


def table_readings(arguments: tuple[Argument, ...]) -> list[tuple[Argument, ...]]:
    """The arguments with their tables in each form; without those that may be left out as the last."""
    tables = [a for a in arguments if a.role in ("cos", "sin", "freqs", "cos_sin")]
    kind = next((a.role for a in tables if a.role in _FORMS), None)
    if kind is None:
        return [arguments]
    found = [
        tuple(replace(a, role=f"{a.role}/{form}", default=None) if a in tables else a for a in arguments)
        for form in _FORMS[kind]
    ]
    if all(a.default is not None for a in tables):
        found.append(tuple(replace(a, role="") if a in tables else a for a in arguments))
    return found


def table(role: str, length: int, dim: int, dtype: str) -> Value:
    """The table for a role of :func:`table_readings`: angles ``position * base ** (-2 i / D)`` of the usual base."""
    what, _, form = role.partition("/")
    angles = np.outer(np.arange(length), Rotation().base ** (-2.0 * np.arange(dim // 2) / dim))
    if form == "complex":
        return Tensor(np.exp(1j * angles).astype(np.complex64), "complex64")
    if form == "stacked":
        return floating_tensor(np.stack((np.cos(angles), np.sin(angles)), axis=-1), dtype)
    shaped = _SHAPES[form](angles)
    if what == "freqs":
        return floating_tensor(shaped, "float32")
    cos, sin = floating_tensor(np.cos(shaped), dtype), floating_tensor(np.sin(shaped), dtype)
    return {"cos": cos, "sin": sin}.get(what, (cos, sin))
