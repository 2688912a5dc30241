"""Queries, keys and values that come in one array: the orders of its axes.

Letters are the axes of the part (``3``), batch, head, position and channel; joined by ``*`` where they are one axis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.layouts import Layout

_FORMS = (
    ("b h*3*d s", "(B, H * 3 * D, S)"),
    ("b 3*h*d s", "(B, 3 * H * D, S)"),
    ("b s 3*h*d", "(B, S, 3 * H * D)"),
    ("b s h*3*d", "(B, S, H * 3 * D)"),
    ("b s 3 h d", "(B, S, 3, H, D)"),
    ("b s h 3 d", "(B, S, H, 3, D)"),
    ("3 b h s d", "(3, B, H, S, D)"),
    ("b 3 h s d", "(B, 3, H, S, D)"),
    ("b h s 3*d", "(B, H, S, 3 * D)"),
)


def _pack(form: str) -> Callable[[Array], Array]:
    axes = [axis.split("*") for axis in form.split()]
    order = ["3bhsd".index(letter) for axis in axes for letter in axis]

    def pack(parts: Array) -> Array:
        sizes = dict(zip("3bhsd", parts.shape, strict=True))
        shape = [int(np.prod([sizes[letter] for letter in axis])) for axis in axes]
        return parts.transpose(order).reshape(shape)

    return pack


def unpack(layout: Layout, packed: Array, shape: tuple[int, ...]) -> Array:
    """Queries, keys and values, ``(3, B, H, S, D)``, out of the array that a layout packs them into."""
    assert layout.packed is not None
    places = layout.packed(np.arange(int(np.prod(shape))).reshape(shape))
    parts = np.empty(shape, packed.dtype)
    parts.reshape(-1)[places.reshape(-1)] = packed.reshape(-1)
    return parts


def _channels_first(canonical: Array) -> Array:
    b, h, s, d = canonical.shape
    return canonical.swapaxes(-1, -2).reshape(b, h * d, s)


PACKED: Mapping[str, Layout] = {
    form: Layout(form, 3, _channels_first, lambda a: a, text=text, packed=_pack(form)) for form, text in _FORMS
}
"""For attention that takes queries, keys and values in one array; the output has heads and channels in one axis."""
