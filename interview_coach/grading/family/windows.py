"""The window of a sliding-window attention, and the other windows people write.

Source: Beltagy et al., "Longformer", 2020, section 3.1; Jiang et al., "Mistral 7B", 2023, section 2.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.inputs import AttentionInputs, Stage, Step, V

Band = Callable[[Array, Array, int], Array]
"""From positions of queries ``(Sq, 1)`` and keys ``(Sk,)`` and the window to what may be seen."""


def _positions(f: AttentionInputs, corner: int) -> tuple[Array, Array]:
    sq, sk = f.logits.shape[-2:]
    return np.arange(sq)[:, None] + corner, np.arange(sk)


def _band(band: Band) -> Step:
    """What the causal mask leaves, as far as the band goes."""

    def apply(f: AttentionInputs) -> None:
        if f.window is None:
            raise NotApplicable
        keep = band(*_positions(f, f.corner), f.window)[None, None]
        f.allowed = keep if f.allowed is None else f.allowed & keep

    return apply


def _instead(band: Band) -> Step:
    """The band in place of the causal mask."""

    def apply(f: AttentionInputs) -> None:
        if f.window is None or f.allowed is None:
            raise NotApplicable
        f.allowed = band(*_positions(f, f.corner), f.window)[None, None]

    return apply


def _right(f: AttentionInputs) -> None:
    if f.window is not None:
        _band(lambda i, j, w: j > i - w)(f)


def _ignored(f: AttentionInputs) -> None:
    if f.window is None:
        raise NotApplicable


def _other_corner(f: AttentionInputs) -> None:
    """The window is counted from the other corner than the causal mask."""
    sq, sk = f.logits.shape[-2:]
    if f.window is None or sq == sk:
        raise NotApplicable
    i, j = _positions(f, sk - sq - f.corner)
    keep = (j > i - f.window)[None, None]
    f.allowed = keep if f.allowed is None else f.allowed & keep


def _outside(i: Array, j: Array, w: int) -> Array:
    return ~((j <= i) & (j > i - w))


WIDER: dict[str, Band] = {
    "wide": lambda i, j, w: j >= i - w,
    "wider": lambda i, j, w: j >= i - w - 1,
    "double": lambda i, j, w: j > i - 2 * w,
    "double-wide": lambda i, j, w: j >= i - 2 * w,
    "blocks": lambda i, j, w: j >= i // w * w - w,
    "from-own-block": lambda i, j, w: j > i // w * w - w,
    "first-kept": lambda i, j, w: (j > i - w) | (j == 0),
    "first-kept-wide": lambda i, j, w: (j >= i - w) | (j == 0),
}
NARROWER: dict[str, Band] = {
    "narrow": lambda i, j, w: j > i - w + 1,
    "narrower": lambda i, j, w: j > i - w + 2,
    "half": lambda i, j, w: j > i - w // 2,
    "half-wide": lambda i, j, w: j >= i - w // 2,
    "own-block": lambda i, j, w: j >= i // w * w,
}
TWO_SIDED: dict[str, Band] = {
    "two-sided": lambda i, j, w: abs(i - j) < w,
    "two-sided-wide": lambda i, j, w: abs(i - j) <= w,
    "two-sided-half": lambda i, j, w: abs(i - j) <= w // 2,
    "two-sided-narrow": lambda i, j, w: abs(i - j) < w // 2,
    "two-sided-offset": lambda i, j, w: (j > i - w) & (j <= i + w),
    "centred": lambda i, j, w: (j >= i - w // 2) & (j < i - w // 2 + w),
    "neighbouring-blocks": lambda i, j, w: abs(i // w - j // w) <= 1,
    "same-block": lambda i, j, w: i // w == j // w,
}
WINDOW: Stage = {
    "right": V(_right),
    **{name: V(_band(band), "window-too-wide") for name, band in WIDER.items()},
    **{name: V(_band(band), "window-too-narrow") for name, band in NARROWER.items()},
    **{name: V(_instead(band), "window-two-sided") for name, band in TWO_SIDED.items()},
    "ignored": V(_ignored, "window-ignored"),
    "shifted": V(_instead(lambda i, j, w: (j < i) & (j >= i - w)), "causal-hides-self"),
    "ahead": V(_instead(lambda i, j, w: (j >= i) & (j < i + w)), "causal-reversed"),
    "ahead-wide": V(_instead(lambda i, j, w: (j >= i) & (j <= i + w)), "causal-reversed"),
    "other-corner": V(_other_corner, "causal-top-left"),
    "outside": V(_instead(_outside), "mask-inverted"),
    "far": V(_instead(lambda i, j, w: j <= i - w), "mask-inverted"),
}
