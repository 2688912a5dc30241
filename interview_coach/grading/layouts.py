"""Axis orders of queries, keys, values and outputs, and the forms that a mask takes.

The canonical order is ``(B, H, S, D)``; with projections it is ``(B, S, C)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.protocol import Record, Tensor
from interview_coach.oracles.attention import merge_heads, split_heads
from interview_coach.records import record


@record
class Layout:
    """An axis order. ``one_head`` and ``unbatched`` layouts hold canonical arrays with H = 1, B = 1."""

    name: str
    ndim: int
    out_of: Callable[[Array], Array]
    """From canonical."""
    back: Callable[[Array], Array]
    """To canonical."""
    one_head: bool = False
    unbatched: bool = False
    text: str = ""
    keys: Callable[[Array], Array] | None = None
    """From canonical keys and values with one head, where these come without a head axis."""
    keys_back: Callable[[Array], Array] | None = None
    merged: bool = False
    packed: Callable[[Array], Array] | None = None
    """From canonical ``(3, B, H, S, D)`` to the one array that holds queries, keys and values."""


def _axes(name: str, order: tuple[int, ...], text: str) -> Layout:
    inverse = tuple(np.argsort(order))
    return Layout(name, len(order), lambda a: a.transpose(order), lambda a: a.transpose(inverse), text=text)


# For calls on q, k, v: canonical (B, H, S, D).
DIRECT: Mapping[str, Layout] = {
    layout.name: layout
    for layout in (
        _axes("BHSD", (0, 1, 2, 3), "(B, H, S, D)"),
        _axes("BSHD", (0, 2, 1, 3), "(B, S, H, D)"),
        Layout("BSC", 3, lambda a: a[:, 0], lambda a: a[:, None], one_head=True, text="(B, S, D)"),
        Layout("SC", 2, lambda a: a[0, 0], lambda a: a[None, None], one_head=True, unbatched=True, text="(S, D)"),
        _axes("SBHD", (2, 0, 1, 3), "(S, B, H, D)"),
        Layout("HSD", 3, lambda a: a[0], lambda a: a[None], unbatched=True, text="(H, S, D)"),
        Layout("SHD", 3, lambda a: a[0].swapaxes(0, 1), lambda a: a.swapaxes(0, 1)[None], unbatched=True, text="(S, H, D)"),
        Layout("SBC", 3, lambda a: a[:, 0].swapaxes(0, 1), lambda a: a.swapaxes(0, 1)[:, None], one_head=True, text="(S, B, D)"),
        _axes("BHDS", (0, 1, 3, 2), "(B, H, D, S)"),
        Layout("DS", 2, lambda a: a[0, 0].T, lambda a: a.T[None, None], one_head=True, unbatched=True, text="(D, S)"),
        Layout("BDS", 3, lambda a: a[:, 0].swapaxes(-1, -2), lambda a: a.swapaxes(-1, -2)[:, None], one_head=True, text="(B, D, S)"),
    )
}  # fmt: skip

# For heads merged into the last axis, whose number is an argument.
MERGED: Mapping[str, Layout] = {
    "BSM": Layout("BSM", 3, merge_heads, lambda a: a[:, None], merged=True, text="(B, S, H * D)"),
}

# For one key/value head without an axis of its own.
SHARED_KEYS: Mapping[str, Layout] = {
    layout.name: layout
    for layout in (
        replace(DIRECT["BHSD"], name="BHSD/BSD", text="(B, H, S, D), keys (B, S, D)", keys=lambda a: a[:, 0], keys_back=lambda a: a[:, None]),
        replace(DIRECT["BSHD"], name="BSHD/BSD", text="(B, S, H, D), keys (B, S, D)", keys=lambda a: a[:, 0], keys_back=lambda a: a[:, None]),
        replace(DIRECT["HSD"], name="HSD/SD", text="(H, S, D), keys (S, D)", keys=lambda a: a[0, 0], keys_back=lambda a: a[None, None]),
        replace(DIRECT["SHD"], name="SHD/SD", text="(S, H, D), keys (S, D)", keys=lambda a: a[0, 0], keys_back=lambda a: a[None, None]),
    )
}  # fmt: skip

# For modules that own projections: canonical (B, S, C).
PROJECTED: Mapping[str, Layout] = {
    layout.name: layout
    for layout in (
        _axes("BSC", (0, 1, 2), "(B, S, C)"),
        Layout("SC", 2, lambda a: a[0], lambda a: a[None], unbatched=True, text="(S, C)"),
        _axes("SBC", (1, 0, 2), "(S, B, C)"),
        Layout("BPSC", 4, lambda a: a[:, None], lambda a: a[:, 0], text="(B, patches, S, C)"),
    )
}

# For modules whose projections are convolutions of width one.
CONVOLVED: Mapping[str, Layout] = {
    layout.name: layout
    for layout in (
        Layout("BCHW", 4, lambda a: a.swapaxes(1, 2)[..., None], lambda a: a.reshape(*a.shape[:2], -1).swapaxes(1, 2), text="(B, C, H, W)"),
        _axes("BCS", (0, 2, 1), "(B, C, S)"),
    )
}  # fmt: skip


def outputs(layout: Layout, heads: int) -> dict[str, Callable[[Array], Array]]:
    """Ways to read an output back into ``(B, H, S, Dv)``, for a call on q, k, v in ``layout``."""
    found: dict[str, Callable[[Array], Array]] = {layout.name: layout.back}
    if layout.packed is not None:
        return {
            **{name: DIRECT[name].back for name in ("BHSD", "BSHD")},
            "channels-first": lambda a: a.reshape(a.shape[0], heads, -1, a.shape[2]).swapaxes(-1, -2),
            "merged": lambda a: split_heads(a, heads),
        }
    if layout.merged:
        return {layout.name: lambda a: split_heads(a, heads)}
    if layout.ndim == 4:
        for other in ("BHSD", "BSHD"):  # before the merged form, which four axes can be read as, too
            found.setdefault(other, DIRECT[other].back)
        found["merged"] = lambda a: a.reshape(*a.shape[:2], heads, -1).transpose(0, 2, 1, 3)
    if layout.name == "SBHD":
        found["merged"] = lambda a: a.reshape(*a.shape[:2], heads, -1).transpose(1, 2, 0, 3)
    if layout.name.partition("/")[0] in ("HSD", "SHD"):
        found["merged"] = lambda a: a.reshape(a.shape[0], heads, -1).swapaxes(0, 1)[None]
    return found


def floating_tensor(array: Array, dtype: str, **options: Any) -> Tensor:
    """An array as a floating tensor of ``dtype``; bfloat16 is held in float32."""
    return Tensor(np.ascontiguousarray(array, "float32" if dtype == "bfloat16" else dtype), dtype, **options)


@record
class MaskForm:
    """How a mask is handed over.

    Attributes:
        shape: ``B1QK``, ``BHQK``, ``BQK``, ``QKB``, ``QK``, ``B11K``, ``BK``, ``K``, ``B1K`` or ``lengths``.
        dtype: ``bool``, ``int64`` or ``float32``.
        meaning: ``keep``, ``drop``, ``additive`` or ``lengths``.
        field: The attribute of an object that holds the mask; empty for a mask that is handed over itself.
    """

    shape: str
    dtype: str
    meaning: str
    field: str = ""

    @property
    def padding(self) -> bool:
        """The same keys for every query of a batch entry."""
        return self.shape in ("B11K", "BK", "B1K", "K", "lengths")

    @property
    def shared(self) -> bool:
        """The same for the whole batch."""
        return self.shape in ("QK", "K")

    def encode(self, keep: Array, floating: str = "float32") -> Tensor | Record:
        """A canonical mask (True = may attend, ``(B, 1 or H, Sq, Sk)``) as the submission wants it."""
        mask = self._encode(keep, floating)
        return Record({self.field: mask}) if self.field else mask

    def _encode(self, keep: Array, floating: str) -> Tensor:
        if self.meaning == "lengths":
            return Tensor(keep[:, 0, 0].sum(-1).astype(np.int64), "int64")
        shaped: Array = {
            "B1QK": lambda m: m,
            "BHQK": lambda m: m,
            "BQK": lambda m: m[:, 0],
            "QKB": lambda m: m[:, 0].transpose(1, 2, 0),
            "QK": lambda m: m[0, 0],
            "B11K": lambda m: m[:, :, :1],
            "B1K": lambda m: m[:, 0, :1],
            "BK": lambda m: m[:, 0, 0],
            "K": lambda m: m[0, 0, 0],
        }[self.shape](keep)
        if self.meaning == "additive":
            return floating_tensor(np.where(shaped, 0.0, -np.inf), floating)
        flag = shaped if self.meaning == "keep" else ~shaped
        return (
            floating_tensor(flag, floating) if self.dtype == "float32" else Tensor(flag.astype(self.dtype), self.dtype)
        )


def canonical_mask(random: Callable[..., Array], form: MaskForm, b: int, h: int, sq: int, sk: int) -> Array:
    """A random mask that the form can express; every query keeps at least one key.

    Args:
        random: Uniform numbers in [0, 1) of the given shape.
    """
    if form.meaning == "lengths":
        lengths = 1 + (random((b,)) * sk).astype(int)
        lengths[0] = max(1, sk - 2)
        return (np.arange(sk)[None, :] < lengths[:, None])[:, None, None, :]
    shape = {"BHQK": (b, h, sq, sk), "QK": (1, 1, sq, sk), "K": (1, 1, 1, sk)}.get(
        form.shape, (b, 1, 1, sk) if form.padding else (b, 1, sq, sk)
    )
    keep = random(shape) > 0.4
    rows = keep.reshape(-1, sk)
    columns = (random((len(rows),)) * sk).astype(int)
    rows[np.arange(len(rows)), columns] = True
    if sk > 1:
        rows[np.arange(len(rows)), (columns + 1) % sk] = False
    return rows.reshape(shape)
