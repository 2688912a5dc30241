"""Scores, their scale, the softmax and the weighted sum."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.inputs import AttentionInputs, Stage, Step, V
from interview_coach.grading.family.masks import need_mask
from interview_coach.grading.family.tiles import TILED
from interview_coach.oracles.attention import softmax


def _scores(f: AttentionInputs) -> None:
    f.logits = f.query @ f.key.swapaxes(-1, -2)


def _scores_transposed(f: AttentionInputs) -> None:
    if f.query.shape[-2] != f.key.shape[-2]:
        raise NotApplicable
    f.logits = f.key @ f.query.swapaxes(-1, -2)


def _scores_reshaped(f: AttentionInputs) -> None:
    """``k.reshape(B, H, D, S)`` where a transpose is meant."""
    f.logits = f.query @ f.key.reshape(*f.key.shape[:-2], f.key.shape[-1], f.key.shape[-2])


def _scale(factor: Callable[[AttentionInputs], float]) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.logits = f.logits * factor(f)

    return apply


def _dim(f: AttentionInputs) -> int:
    return int(f.query.shape[-1])


def _model_dim(f: AttentionInputs) -> float:
    if f.heads == 1:
        raise NotApplicable
    return float(_dim(f) * f.heads)


def _group_width(f: AttentionInputs) -> float:
    """The width of the model divided by the number of key/value heads."""
    if f.groups in (1, f.heads):
        raise NotApplicable
    return float(_dim(f) * f.groups)


def _input_width(f: AttentionInputs) -> float:
    if f.weights is None or f.weights.q.shape[0] in (_dim(f), _dim(f) * f.heads):
        raise NotApplicable
    return float(f.weights.q.shape[0])


def _pow2(n: int) -> int:
    return 1 << (n - 1).bit_length()


def _padded(to: Callable[[int], int]) -> Step:
    def factor(f: AttentionInputs) -> float:
        if to(_dim(f)) == _dim(f):
            raise NotApplicable
        return float(to(_dim(f)) ** -0.5)

    return _scale(factor)


def _normalise(function: Callable[[AttentionInputs, Array], Array], masked: bool = True) -> Step:
    def apply(f: AttentionInputs) -> None:
        logits = f.logits
        if masked and f.allowed is not None:
            logits = np.where(f.allowed, logits, -np.inf)
        f.attention = function(f, logits)

    return apply


def _softmax_rows(f: AttentionInputs, s: Array) -> Array:
    p = softmax(s)
    if f.empty_rows != "zero" and f.allowed is not None:
        empty = ~np.broadcast_to(f.allowed, s.shape).any(-1, keepdims=True)
        p = np.where(empty, np.nan if f.empty_rows == "nan" else 1.0 / s.shape[-1], p)
    return p


def _axis(axis: int, fill: float = -np.inf) -> Callable[[AttentionInputs, Array], Array]:
    """Softmax along another axis; there a finite fill differs from -inf, since whole slices may be masked."""

    def function(f: AttentionInputs, s: Array) -> Array:
        s = np.maximum(s, fill)
        return np.where(np.isneginf(s).all(axis, keepdims=True), np.nan, softmax(s, axis))

    return function


def _sum_over(axis: int) -> Callable[[AttentionInputs, Array], Array]:
    """The maximum of the row is subtracted, and the sum runs over another axis."""

    def function(f: AttentionInputs, s: Array) -> Array:
        peak = s.max(-1, keepdims=True)
        weights: Array = np.exp(s - np.where(np.isfinite(peak), peak, 0.0))
        shares: Array = weights / weights.sum(axis, keepdims=True)
        return shares

    return function


def _over_groups(axis: int) -> Callable[[AttentionInputs, Array], Array]:
    """Softmax over the groups, or over the query heads of a group."""

    def function(f: AttentionInputs, s: Array) -> Array:
        b, h, sq, sk = s.shape
        if f.groups in (1, h):
            raise NotApplicable
        return softmax(s.reshape(b, -1, f.groups, sq, sk), axis).reshape(s.shape)

    return function


def _over_group_and_keys(f: AttentionInputs, s: Array) -> Array:
    """One softmax over the query heads of a group and the keys together."""
    b, _, sq, sk = s.shape
    if f.groups == 1:
        raise NotApplicable
    together = s.reshape(b, -1, f.groups, sq, sk).swapaxes(2, 3)
    return softmax(together.reshape(*together.shape[:3], -1)).reshape(together.shape).swapaxes(2, 3).reshape(s.shape)


def _after_softmax(f: AttentionInputs) -> None:
    f.attention = softmax(f.logits) * need_mask(f)


def _naive_linear(f: AttentionInputs, s: Array) -> Array:
    return s if f.allowed is None else np.where(f.allowed, s, 0.0)


def _after_scale(factor: Callable[[AttentionInputs], float]) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.attention = softmax(np.where(_allowed(f), f.logits * _dim(f) ** 0.5, -np.inf)) * factor(f)

    return apply


def _allowed(f: AttentionInputs) -> Array:
    return np.ones((1, 1, 1, 1), bool) if f.allowed is None else f.allowed


def _ratio(p: Array) -> Array:
    total: Array = p.sum(-1, keepdims=True)
    return p / total


def _mix(f: AttentionInputs) -> None:
    f.out = f.attention @ f.value


def _mix_transposed(f: AttentionInputs) -> None:
    if f.attention.shape[-1] != f.attention.shape[-2]:
        raise NotApplicable
    f.out = f.attention.swapaxes(-1, -2) @ f.value


_D = _dim
SCORES: Stage = {
    "right": V(_scores),
    "transposed": V(_scores_transposed, "scores-transposed"),
    "reshaped": V(_scores_reshaped, "scores-transposed"),
}
SCALE: Stage = {
    "right": V(_scale(lambda f: _D(f) ** -0.5 if f.scale is None else f.scale)),
    "none": V(_scale(lambda f: 1.0), "missing-scale"),
    "d": V(_scale(lambda f: 1.0 / _D(f)), "scale-by-d"),
    "d-model": V(_scale(lambda f: _model_dim(f) ** -0.5), "scale-by-d-model"),
    "input-width": V(_scale(lambda f: _input_width(f) ** -0.5), "scale-by-d-model"),
    "per-model-dim": V(_scale(lambda f: 1.0 / _model_dim(f)), "scale-by-d-model"),
    "log-d": V(_scale(lambda f: 1.0 / np.log(_D(f))), "scale-by-log-d"),
    "log2-d": V(_scale(lambda f: 1.0 / np.log2(_D(f))), "scale-by-log-d"),
    "inverted": V(_scale(lambda f: _D(f) ** 0.5), "scale-inverted"),
    "times-d": V(_scale(lambda f: float(_D(f))), "scale-inverted"),
    "fourth-root": V(_scale(lambda f: _D(f) ** -0.25), "missing-scale"),
    "keys": V(_scale(lambda f: f.logits.shape[-1] ** -0.5), "scale-from-length"),
    "queries": V(_scale(lambda f: f.logits.shape[-2] ** -0.5), "scale-from-length"),
    "heads": V(_scale(lambda f: f.logits.shape[1] ** -0.5), "scale-by-d-model"),
    "group-width": V(_scale(lambda f: _group_width(f) ** -0.5), "scale-by-d-model"),
    "value-dim": V(_scale(lambda f: f.value.shape[-1] ** -0.5), "scale-from-padded-dim"),
    "next-power": V(_padded(_pow2), "scale-from-padded-dim"),
    "sixteen": V(_padded(lambda d: -(-d // 16) * 16), "scale-from-padded-dim"),
    "eight": V(_padded(lambda d: -(-d // 8) * 8), "scale-from-padded-dim"),
    "constant-8": V(_scale(lambda f: 1 / 8), "scale-hard-coded"),
    "constant-sqrt-128": V(_scale(lambda f: 128**-0.5), "scale-hard-coded"),
    "constant-sqrt-512": V(_scale(lambda f: 512**-0.5), "scale-hard-coded"),
    "constant-sqrt-32": V(_scale(lambda f: 32**-0.5), "scale-hard-coded"),
    "constant-4": V(_scale(lambda f: 0.25), "scale-hard-coded"),
}
SOFTMAX: Stage = {
    "right": V(_normalise(_softmax_rows)),
    "queries": V(_normalise(_axis(-2)), "softmax-wrong-axis"),
    "heads": V(_normalise(_axis(1)), "softmax-wrong-axis"),
    "batch": V(_normalise(_axis(0)), "softmax-wrong-axis"),
    "sum-over-queries": V(_normalise(_sum_over(-2)), "softmax-wrong-axis"),
    "sum-over-heads": V(_normalise(_sum_over(1)), "softmax-wrong-axis"),
    "sum-over-batch": V(_normalise(_sum_over(0)), "softmax-wrong-axis"),
    "queries-finite": V(_normalise(_axis(-2, -1e30)), "softmax-wrong-axis"),
    "heads-finite": V(_normalise(_axis(1, -1e30)), "softmax-wrong-axis"),
    "batch-finite": V(_normalise(_axis(0, -1e30)), "softmax-wrong-axis"),
    "all": V(_normalise(lambda f, s: softmax(s.reshape(*s.shape[:-2], -1)).reshape(s.shape)), "softmax-wrong-axis"),
    "missing": V(_normalise(lambda f, s: s), "softmax-missing"),
    "missing-zero": V(_normalise(_naive_linear), "softmax-missing"),
    "missing-finite": V(_normalise(lambda f, s: np.maximum(s, -1e9)), "softmax-missing"),
    "exp-only": V(_normalise(lambda f, s: np.exp(s)), "softmax-missing"),
    "exp-shifted": V(_normalise(lambda f, s: np.exp(s - s.max(-1, keepdims=True))), "softmax-missing"),
    "linear": V(_normalise(lambda f, s: _ratio(_naive_linear(f, s))), "softmax-missing"),
    "relu": V(_normalise(lambda f, s: np.maximum(s, 0.0)), "softmax-missing"),
    "negated": V(_normalise(lambda f, s: softmax(np.where(np.isfinite(s), -s, s))), "softmax-missing"),
    "log": V(_normalise(lambda f, s: np.log(softmax(s))), "softmax-missing"),
    "sigmoid": V(_normalise(lambda f, s: 1 / (1 + np.exp(-s))), "sigmoid-for-softmax"),
    "sigmoid-normalised": V(_normalise(lambda f, s: _ratio(1 / (1 + np.exp(-s)))), "sigmoid-for-softmax"),
    "double": V(_normalise(lambda f, s: softmax(softmax(s))), "double-softmax"),
    "base-two": V(_normalise(lambda f, s: softmax(s * np.log(2.0))), "base-two-exponent"),
    "log2e-kept": V(_normalise(lambda f, s: softmax(s / np.log(2.0))), "base-two-exponent"),
    "groups": V(_normalise(_over_groups(2)), "softmax-wrong-axis"),
    "group-heads": V(_normalise(_over_groups(1)), "softmax-wrong-axis"),
    "groups-and-keys": V(_normalise(_over_group_and_keys), "softmax-wrong-axis"),
    "after-mask": V(_after_softmax, "mask-after-softmax"),
    "scale-after": V(_after_scale(lambda f: _D(f) ** -0.5), "scale-after-softmax"),
    "d-after": V(_after_scale(lambda f: 1.0 / _D(f)), "scale-after-softmax"),
    "model-after": V(_after_scale(lambda f: _model_dim(f) ** -0.5), "scale-after-softmax"),
    "scale-both": V(_normalise(lambda f, s: softmax(s) * _D(f) ** -0.5), "scale-after-softmax"),
}


def _mix_averaged(f: AttentionInputs) -> None:
    if f.attention.shape[1] == 1:
        raise NotApplicable
    f.out = f.attention.mean(1, keepdims=True) @ f.value


def _outputs_averaged(f: AttentionInputs) -> None:
    if f.attention.shape[1] == 1:
        raise NotApplicable
    out = f.attention @ f.value
    f.out = np.broadcast_to(out.mean(1, keepdims=True), out.shape)


MIX: Stage = {
    "right": V(_mix),
    "transposed": V(_mix_transposed, "scores-transposed"),
    "averaged": V(_mix_averaged, "heads-averaged"),
    "outputs-averaged": V(_outputs_averaged, "heads-averaged"),
    **TILED,
}
