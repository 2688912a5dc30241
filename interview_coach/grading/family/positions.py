"""Positions inside an attention: RoPE on queries and keys, ALiBi on the scores, and the ways to get them wrong.

Sources: Su et al., "RoFormer", 2021, section 3.2.2; Press et al., "Train Short, Test Long: Attention with Linear Biases
Enables Input Length Extrapolation", 2022, section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.inputs import AttentionInputs, Rotation, Stage, Step, V
from interview_coach.oracles.alibi import alibi_slopes

# ── RoPE ───────────────────────────────────────────────────────────────────────────────────────────────────────────

Exponent = Callable[[Array, int], Array]
"""From the number of a pair and the dim to the exponent of the base."""


def _usual(i: Array, dim: int) -> Array:
    return -2.0 * i / dim


def rotate(
    x: Array,
    positions: Array,
    how: Rotation,
    exponent: Exponent = _usual,
    *,
    other_spread: bool = False,
    turn: float = 1.0,
) -> Array:
    """``x`` ``(B, H, S, D)`` rotated by ``positions``, broadcastable to ``(B, H, S)``.

    Args:
        exponent: Of the frequencies.
        other_spread: The angles lie along the channels as in the other pairing.
        turn: Sign of the angle.
    """
    dim = x.shape[-1]
    if dim % 2:
        raise NotApplicable
    angles = turn * positions[..., None] * how.base ** exponent(np.arange(dim // 2), dim)
    beside = how.interleaved != other_spread
    spread = np.repeat(angles, 2, -1) if beside else np.concatenate([angles, angles], -1)
    if how.interleaved:
        turned = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    else:
        turned = np.concatenate([-x[..., dim // 2 :], x[..., : dim // 2]], -1)
    out: Array = x * np.cos(spread) + turned * np.sin(spread)
    return out


def _places(f: AttentionInputs, restart: bool) -> tuple[Array, Array]:
    """Positions of queries and of keys."""
    sq, sk = f.query.shape[-2], f.key.shape[-2]
    return np.arange(sq) + (0 if restart else sk - sq), np.arange(sk)


def _rotate(
    exponent: Exponent = _usual,
    *,
    sides: str = "qk",
    flip: bool = False,
    keys_flip: bool = False,
    back: bool = False,
    spread: bool = False,
    restart: bool = False,
) -> Step:
    """Rotation of ``sides``.

    Args:
        exponent: Of the frequencies.
        sides: Of ``q``, ``k``, ``v``.
        flip: The channels are paired the other way.
        keys_flip: Those of the keys alone.
        back: The angles have the opposite sign.
        spread: The angles lie along the channels as in the other pairing.
        restart: Queries count from 0.
    """

    def apply(f: AttentionInputs) -> None:
        how = f.rotation
        if how is None or (restart and f.query.shape[-2] == f.key.shape[-2]):
            raise NotApplicable
        places = _places(f, how.restart or restart)
        pairing = how.interleaved != flip
        for side, name, where in (("q", "query", places[0]), ("k", "key", places[1]), ("v", "value", places[1])):
            if side in sides:
                this = replace(how, interleaved=pairing != (keys_flip and side == "k"))
                turn = -1.0 if back else 1.0
                setattr(f, name, rotate(getattr(f, name), where, this, exponent, other_spread=spread, turn=turn))

    return apply


def _right_rotation(f: AttentionInputs) -> None:
    if f.rotation is not None:
        _rotate()(f)


def _not_rotated(f: AttentionInputs) -> None:
    """What rotates both sides by the same angle, such as that of the head, changes no score."""
    if f.rotation is None:
        raise NotApplicable


def _opposite(f: AttentionInputs) -> None:
    """Queries and keys turn in opposite directions."""
    if f.rotation is None:
        raise NotApplicable
    q, k = _places(f, f.rotation.restart)
    f.query, f.key = rotate(f.query, q, f.rotation), rotate(f.key, k, f.rotation, turn=-1.0)


def _along(axis: str) -> Step:
    """Angles that run along the heads, or the batch."""

    def apply(f: AttentionInputs) -> None:
        how = f.rotation
        if how is None:
            raise NotApplicable
        for name in ("query", "key"):
            t = getattr(f, name)
            n = np.arange(t.shape[1])[:, None] if axis == "heads" else np.arange(t.shape[0])[:, None, None]
            if axis == "heads" and f.groups > 1 and name == "key":
                n = n // f.groups
            setattr(f, name, rotate(t, n, how))

    return apply


def _whole_width(f: AttentionInputs) -> None:
    """All channels of the model rotated as one vector, before the split into heads."""
    how = f.rotation
    if how is None or f.heads == 1 or f.groups > 1:
        raise NotApplicable
    for name, where in zip(("query", "key"), _places(f, how.restart), strict=True):
        t = getattr(f, name)
        b, h, s, d = t.shape
        joined = t.transpose(0, 2, 1, 3).reshape(b, 1, s, h * d)
        setattr(f, name, rotate(joined, where, how).reshape(b, s, h, d).transpose(0, 2, 1, 3))


ROTATE: Stage = {
    "right": V(_right_rotation),
    "none": V(_not_rotated, "rope-wrong-axis"),
    "heads": V(_along("heads"), "rope-wrong-axis"),
    "batch": V(_along("batch"), "rope-wrong-axis"),
    "whole-width": V(_whole_width, "rope-wrong-axis"),
    "values-too": V(_rotate(sides="qkv"), "rope-on-values"),
    "queries-and-values": V(_rotate(sides="qv"), "rope-on-values"),
    "keys-and-values": V(_rotate(sides="kv"), "rope-on-values"),
    "values-only": V(_rotate(sides="v"), "rope-on-values"),
    "queries-only": V(_rotate(sides="q"), "rope-one-sided"),
    "keys-only": V(_rotate(sides="k"), "rope-one-sided"),
    "back": V(_rotate(back=True), "rope-direction"),
    "opposite": V(_opposite, "rope-direction"),
    "pairing": V(_rotate(keys_flip=True), "rope-pairing"),
    "pairing-of-keys": V(_rotate(keys_flip=True, flip=True), "rope-pairing"),
    "spread": V(_rotate(spread=True), "rope-pairing"),
    "restart": V(_rotate(restart=True), "rope-positions-restart"),
    "base-twice": V(_rotate(lambda i, d: -4.0 * i / d), "rope-base"),
    "base-half": V(_rotate(lambda i, d: -1.0 * i / d), "rope-base"),
    "base-positive": V(_rotate(lambda i, d: 2.0 * i / d), "rope-base"),
    "base-no-dim": V(_rotate(lambda i, d: -2.0 * i), "rope-base"),
    "base-plus-one": V(_rotate(lambda i, d: -2.0 * (i + 1) / d), "rope-base"),
    "base-reversed": V(_rotate(lambda i, d: -2.0 * (d // 2 - 1 - i) / d), "rope-base"),
    "base-none": V(_rotate(lambda i, d: 0.0 * i), "rope-base"),
}

# ── ALiBi ──────────────────────────────────────────────────────────────────────────────────────────────────────────

Slopes = Callable[[int, str], Array]
"""From the number of heads and the kind of slopes to the slopes."""


def _usual_slopes(heads: int, kind: str) -> Array:
    return alibi_slopes(heads, interpolated=kind == "paper")


def _bias(f: AttentionInputs, slopes: Array) -> None:
    """Add ``-slope * (position of the query - position of the key)``."""
    sq, sk = f.logits.shape[-2:]
    f.slopes = slopes[:, None, None]
    f.logits = f.logits + f.slopes * (np.arange(sk) - np.arange(sq)[:, None] - f.first_position(sq, sk))


def _slopes(make: Slopes) -> Step:
    def apply(f: AttentionInputs) -> None:
        if f.alibi is None:
            raise NotApplicable
        _bias(f, make(f.logits.shape[1], f.alibi))

    return apply


def _right_bias(f: AttentionInputs) -> None:
    if f.alibi is not None:
        _bias(f, _usual_slopes(f.logits.shape[1], f.alibi))


def _symmetric(f: AttentionInputs) -> None:
    """The distance to both sides: another bias only where there is no causal mask."""
    _right_bias(f)
    assert f.slopes is not None
    i, j = np.arange(f.logits.shape[-2])[:, None], np.arange(f.logits.shape[-1])
    f.logits = f.logits - 2.0 * f.slopes * np.maximum(j - i - f.first_position(len(i), len(j)), 0)


def _top_left(sign: float) -> Step:
    """The distance counted from the top left, on both sides."""

    def apply(f: AttentionInputs) -> None:
        sq, sk = f.logits.shape[-2:]
        if f.alibi is None or f.first_position(sq, sk) == 0:
            raise NotApplicable
        f.slopes = _usual_slopes(f.logits.shape[1], f.alibi)[:, None, None]
        f.logits = f.logits - sign * f.slopes * abs(np.arange(sk) - np.arange(sq)[:, None])

    return apply


def _scaled(power: float) -> Step:
    """The bias goes through the scale of the scores as well."""

    def apply(f: AttentionInputs) -> None:
        if f.alibi is None:
            raise NotApplicable
        _bias(f, _usual_slopes(f.logits.shape[1], f.alibi) * f.query.shape[-1] ** power)

    return apply


def _per_head(function: Callable[[Array, int], Array]) -> Slopes:
    """``function`` of the number of the head, from 1, and of the number of heads."""
    return lambda heads, kind: np.asarray(function(np.arange(1.0, heads + 1), heads), np.float64)


POSITION: Stage = {
    "right": V(_right_bias),
    "symmetric": V(_symmetric),
    "sign": V(_slopes(lambda n, kind: -_usual_slopes(n, kind)), "alibi-sign"),
    "top-left": V(_top_left(1.0), "causal-top-left"),
    "top-left-sign": V(_top_left(-1.0), "alibi-sign"),
    "missing": V(_slopes(lambda n, kind: np.zeros(n)), "alibi-slopes"),
    "before-scale": V(_scaled(-0.5), "alibi-slopes"),
    "times-root": V(_scaled(0.5), "alibi-slopes"),
    **{
        name: V(_slopes(_per_head(function)), "alibi-slopes")
        for name, function in (
            ("from-zero", lambda h, n: 2 ** (-8 * (h - 1) / n)),
            ("from-two", lambda h, n: 2 ** (-8 * (h + 1) / n)),
            ("reversed", lambda h, n: 2 ** (-8 * (n + 1 - h) / n)),
            ("reversed-from-zero", lambda h, n: 2 ** (-8 * (n - h) / n)),
            ("halving", lambda h, n: 2.0**-h),
            ("halving-from-zero", lambda h, n: 2.0 ** -(h - 1)),
            ("no-eight", lambda h, n: 2 ** (-h / n)),
            ("no-eight-from-zero", lambda h, n: 2 ** (-(h - 1) / n)),
            ("no-heads", lambda h, n: 2 ** (-8 * h)),
            ("no-heads-from-zero", lambda h, n: 2 ** (-8 * (h - 1))),
            ("four", lambda h, n: 2 ** (-4 * h / n)),
            ("sixteen", lambda h, n: 2 ** (-16 * h / n)),
            ("spread", lambda h, n: 2 ** -(1 + 7 * (h - 1) / max(n - 1, 1))),
            ("spread-eight", lambda h, n: 2 ** (-8 * (h - 1) / max(n - 1, 1))),
            ("base-e", lambda h, n: np.exp(-8 * h / n)),
            ("base-ten", lambda h, n: 10 ** (-8 * h / n)),
            ("positive", lambda h, n: 2 ** (8 * h / n)),
            ("inverted", lambda h, n: 2 ** (-n / (8 * h))),
            ("eight-over", lambda h, n: 2 ** (-8 / h)),
            ("heads-over-eight", lambda h, n: 2 ** (-h * n / 8)),
            ("linear", lambda h, n: h / n),
            ("linear-eight", lambda h, n: 8 * h / n),
            ("straight", lambda h, n: np.linspace(2 ** (-8 / n), 2**-8, n)),
            ("straight-from-half", lambda h, n: np.linspace(0.5, 2**-8, n)),
            ("mean", lambda h, n: np.full(n, (2 ** (-8 * h / n)).mean())),
            ("harmonic", lambda h, n: 1 / h),
            ("one", lambda h, n: np.ones(n)),
            ("first", lambda h, n: np.full(n, 2 ** (-8 / n))),
            ("last", lambda h, n: np.full(n, 2.0**-8)),
            ("exponent", lambda h, n: -8 * h / n),
        )
    },
}
