"""How canonical values are sent: the order of the axes, and the forms of integer arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from interview_coach.grading.functions.task import Array, Case, Role
from interview_coach.grading.numbers import round_to
from interview_coach.grading.protocol import Tensor
from interview_coach.records import record

_LENGTHS = "sqk"


@record
class Layout:
    """Axes left out, whether the sequence comes before the heads, and whether it comes ``first`` of all.

    ``short`` tells whether arrays without a last feature axis are turned as well; ``column`` gives them one of size 1.
    ``written`` holds one back until the file writes it down: others' wrong code would be right in it.
    """

    name: str
    text: str
    drop: str = ""
    turned: bool = False
    short: bool = True
    column: bool = False
    first: bool = False
    written: bool = False

    def axes(self, axes: str) -> str:
        """The letters of an array in this layout."""
        kept = "".join(a for a in axes if a not in self.drop)
        place = kept.find("h")
        if (
            self.turned
            and 0 <= place < len(kept) - 1
            and kept[place + 1] in _LENGTHS
            and (self.short or len(kept) > place + 2)
        ):
            kept = kept[:place] + kept[place + 1] + "h" + kept[place + 2 :]
        if self.first and len(kept) > 2 and kept[0] == "b" and kept[1] in _LENGTHS:
            kept = kept[1] + "b" + kept[2:]
        return kept

    def out_of(self, array: Array, axes: str) -> Array:
        """A canonical array in this layout."""
        index = tuple(0 if a in self.drop else slice(None) for a in axes)
        kept = [a for a in axes if a not in self.drop]
        array = array[index].transpose([kept.index(a) for a in self.axes(axes)])
        return array[..., None] if self._is_column(axes) else array

    def back(self, array: Array, axes: str) -> Array:
        """An array in this layout in canonical order; raises ``ValueError`` where the number of axes differs."""
        if self._is_column(axes) and array.ndim == len(self.axes(axes)) + 1 and array.shape[-1] == 1:
            array = array[..., 0]
        mine = self.axes(axes)
        if array.ndim != len(mine):
            raise ValueError(f"{array.ndim} axes, not {len(mine)}")
        kept = [a for a in axes if a not in self.drop]
        array = array.transpose([mine.index(a) for a in kept])
        return (
            np.expand_dims(array, tuple(i for i, a in enumerate(axes) if a in self.drop))
            if len(kept) < len(axes)
            else array
        )

    def _is_column(self, axes: str) -> bool:
        return self.column and "h" in axes and axes[-1] in _LENGTHS


LAYOUTS: Mapping[str, Layout] = {
    layout.name: layout
    for layout in (
        Layout("BHSD", "(B, H, S, D)"),
        Layout("BSHD", "(B, S, H, D)", turned=True),
        Layout("SBHD", "(S, B, H, D)", turned=True, first=True, written=True),
        Layout("SBD", "(S, B, D)", drop="h", first=True, written=True),
        Layout("BSHD-BHS", "(B, S, H, D) with (B, H, S)", turned=True, short=False),
        Layout("BHSD-BHS1", "(B, H, S, D) with (B, H, S, 1)", column=True),
        Layout("HSD", "(H, S, D)", drop="b"),
        Layout("SHD", "(S, H, D)", drop="b", turned=True),
        Layout("SHD-HS", "(S, H, D) with (H, S)", drop="b", turned=True, short=False),
        Layout("BSD", "(B, S, D)", drop="h"),
        Layout("SD", "(S, D)", drop="bh"),
        Layout("SD-S1", "(S, D) with (S, 1)", drop="bh", column=True),
        Layout("HSD-HS1", "(H, S, D) with (H, S, 1)", drop="b", column=True),
        Layout("D", "(D)", drop="bhsq"),
        Layout("NC", "(N, C)"),
        Layout("HD", "(H, D)", drop="b"),
        Layout("paged", "q (B, H, D), caches (blocks, block_size, Hkv, D)"),
    )
}


def floating(array: Array, dtype: str, **options: Any) -> Tensor:
    """An array of floating values in ``dtype``; bfloat16 travels as float32."""
    held = np.float32 if dtype == "bfloat16" else np.dtype(dtype)
    values = round_to(array, dtype) if dtype == "bfloat16" else array
    with np.errstate(over="ignore"):
        return Tensor(np.asarray(values).astype(held, order="C"), dtype, **options)


def _integers(array: Array, case: Case) -> Any:
    return Tensor(np.ascontiguousarray(np.asarray(array, np.int64)), "int64")


def _rows(array: Array, case: Case) -> Any:
    return _integers(np.broadcast_to(array, (case["dims"]["b"], array.shape[-1])), case)


def _member_mask(array: Array, case: Case) -> Any:
    mask = np.zeros(case["dims"]["s"], bool)
    mask[np.asarray(array, int)] = True
    return Tensor(mask, "bool")


def _visible(meaning: str, axes: str) -> Callable[[Any, Case], Any]:
    """The form of a mask of keys, ``True`` = visible: its meaning, and the axes that it is spread over."""

    def form(keep: Any, case: Case) -> Any:
        if keep is None:
            return None
        size = {**case["dims"], "1": 1}
        mask = np.broadcast_to(keep, tuple(size[a] for a in axes))
        if meaning == "additive":
            return floating(np.where(mask, 0.0, -np.inf), "float32")
        return Tensor(np.array(mask if meaning == "keep" else ~mask), "bool")

    return form


MASK_FORMS: Mapping[str, Callable[[Any, Case], Any]] = {
    f"{meaning} {axes}": _visible(meaning, axes)
    for meaning in ("keep", "drop", "additive")
    for axes in ("qk", "bhqk", "bk", "b11k")
}
"""Forms of a mask that hides the same keys from every query."""
_MEANINGS = {"keep": "True = keep", "drop": "True = drop", "additive": "added to the scores"}

FORMS: Mapping[str, Callable[[Any, Case], Any]] = {
    "int": _integers,
    "list": lambda array, case: np.asarray(array).tolist(),
    "float": lambda array, case: floating(np.asarray(array), "float32"),
    "rows": _rows,
    "mask": _member_mask,
    "number": lambda array, case: int(np.asarray(array).reshape(-1)[0]),
    "plain": lambda value, case: value,
    "percent": lambda value, case: 1.0 - value,
    **MASK_FORMS,
}
FORM_TEXT: Mapping[str, str] = {
    "list": "a list",
    "float": "floating values",
    "rows": "one row a batch entry",
    "mask": "a boolean mask",
    "number": "a number",
    **{form: f"{_MEANINGS[form.split()[0]]} ({', '.join(form.split()[1].upper())})" for form in MASK_FORMS},
}


def send(role: Role, case: Case, form: str, layout: Layout, dtype: str, memory: Any, grad: bool) -> Any:
    """The value of a role as it crosses the wall."""
    if role.sender is not None:
        return role.sender(case, form, layout, dtype)
    value = case[role.name]
    if role.kind == "float" and role.axes:
        other = case.get(f"{role.name}:{form}")
        array = layout.out_of(value if other is None else other, role.axes)
        return floating(array, dtype, memory=memory, requires_grad=grad)
    return FORMS[form](value, case)
