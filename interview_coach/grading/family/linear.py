"""Linear attention: a feature map on queries and keys, and a sum over what is seen in place of the softmax.

Source: Katharopoulos et al., "Transformers are RNNs", 2020, equations (4) to (7).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.inputs import AttentionInputs, Stage, Step, V
from interview_coach.oracles.attention import softmax
from interview_coach.oracles.linear import feature_map


def keep(f: AttentionInputs) -> None:
    """Leave everything as it is."""


def of_softmax(stage: Stage, otherwise: Step) -> Stage:
    """A stage of softmax attention, in the place of which linear attention does ``otherwise``."""

    def usual(right: Step) -> Step:
        return lambda f: otherwise(f) if f.linear else right(f)

    def softmax_only(wrong: Step) -> Step:
        def apply(f: AttentionInputs) -> None:
            if f.linear:
                raise NotApplicable
            wrong(f)

        return apply

    return {
        name: V(softmax_only(v.apply) if number else usual(v.apply), v.code, v.alone)
        for number, (name, v) in enumerate(stage.items())
    }


def _linear_only(wrong: Step) -> Step:
    def apply(f: AttentionInputs) -> None:
        if not f.linear:
            raise NotApplicable
        wrong(f)

    return apply


# ── feature maps ───────────────────────────────────────────────────────────────────────────────────────────────────

Map = Callable[[Array], Array]


def _same(x: Array) -> Array:
    return x


def _elu(x: Array) -> Array:
    return feature_map(x) - 1


def _mapped(of_queries: Map, of_keys: Map) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.query, f.key = of_queries(f.query), of_keys(f.key)

    return apply


def _scaled(x: Array) -> Array:
    return feature_map(x * x.shape[-1] ** -0.5)


def _is_softmax(f: AttentionInputs) -> None:
    f.linear = False


def _map(f: AttentionInputs) -> None:
    if f.linear:
        _mapped(feature_map, feature_map)(f)


_MAPS: dict[str, tuple[Step, str]] = {
    "none": (_mapped(_same, _same), "linear-missing-feature-map"),
    "queries-only": (_mapped(feature_map, _same), "linear-missing-feature-map"),
    "keys-only": (_mapped(_same, feature_map), "linear-missing-feature-map"),
    "elu": (_mapped(_elu, _elu), "linear-missing-feature-map"),
    "elu-of-queries": (_mapped(_elu, feature_map), "linear-missing-feature-map"),
    "elu-of-keys": (_mapped(feature_map, _elu), "linear-missing-feature-map"),
    "softmax": (_is_softmax, "linear-missing-feature-map"),
    "scaled": (_mapped(_scaled, _scaled), "scale-twice"),
    "scaled-queries": (_mapped(_scaled, feature_map), "scale-twice"),
}
MAP: Stage = {"right": V(_map), **{name: V(_linear_only(step), code) for name, (step, code) in _MAPS.items()}}

# ── the sum in place of the softmax ────────────────────────────────────────────────────────────────────────────────

Weigh = Callable[[AttentionInputs, Array, Array], Array]
"""From the products of features and what may be seen, both ``(B, H, Sq, Sk)``, to the weights."""


def _over(weights: Array, total: Array) -> Array:
    shares: Array = np.where(total == 0, 0.0, weights / np.where(total == 0, 1.0, total))
    return shares


def _weighed(weigh: Weigh) -> Step:
    def apply(f: AttentionInputs) -> None:
        seen = np.ones((1, 1, 1, 1), bool) if f.allowed is None else f.allowed
        f.attention = weigh(f, f.logits, np.broadcast_to(seen, f.logits.shape))

    return apply


def _normalised(f: AttentionInputs, w: Array, seen: Array) -> Array:
    shares = _over(w * seen, (w * seen).sum(-1, keepdims=True))
    if f.empty_rows != "zero":
        fill = np.nan if f.empty_rows == "nan" else 1.0 / w.shape[-1]
        shares = np.where(seen.any(-1, keepdims=True), shares, fill)
    return shares


def _causal(weigh: Weigh) -> Weigh:
    def function(f: AttentionInputs, w: Array, seen: Array) -> Array:
        if not f.causal:
            raise NotApplicable
        return weigh(f, w, seen)

    return function


def _masked_after(f: AttentionInputs, w: Array, seen: Array) -> Array:
    if f.keep is None or f.causal:
        raise NotApplicable
    return _over(w * seen, w.sum(-1, keepdims=True))


normalise: Step = _weighed(_normalised)
_SUMS: dict[str, tuple[Weigh, str]] = {
    "none": (lambda f, w, s: w * s, "linear-missing-normaliser"),
    "length": (lambda f, w, s: w * s / w.shape[-1], "linear-missing-normaliser"),
    "count": (lambda f, w, s: _over(w * s, s.sum(-1, keepdims=True)), "linear-missing-normaliser"),
    "root": (lambda f, w, s: w * s * f.query.shape[-1] ** -0.5, "linear-missing-normaliser"),
    "dim": (lambda f, w, s: w * s / f.query.shape[-1], "linear-missing-normaliser"),
    "of-keys": (lambda f, w, s: w * s / f.key.sum((-1, -2), keepdims=True), "linear-missing-normaliser"),
    "of-each-key": (
        lambda f, w, s: f.query @ (f.key / f.key.sum(-2, keepdims=True)).swapaxes(-1, -2) * s,
        "linear-missing-normaliser",
    ),
    "of-queries": (lambda f, w, s: w * s / f.query.sum(-1, keepdims=True), "linear-missing-normaliser"),
    "mean": (lambda f, w, s: _over(w * s, (w * s).mean(-1, keepdims=True)), "linear-missing-normaliser"),
    "plus-one": (lambda f, w, s: w * s / (1 + (w * s).sum(-1, keepdims=True)), "linear-missing-normaliser"),
    "over-queries": (lambda f, w, s: _over(w * s, (w * s).sum(-2, keepdims=True)), "linear-missing-normaliser"),
    "softmax": (lambda f, w, s: softmax(np.where(s, w, -np.inf)), "linear-missing-normaliser"),
    "masked-after": (_masked_after, "mask-after-softmax"),
    "total": (_causal(lambda f, w, s: _over(w * s, w.sum(-1, keepdims=True))), "linear-not-causal"),
    "total-above": (_causal(lambda f, w, s: _over(w, (w * s).sum(-1, keepdims=True))), "linear-not-causal"),
}
SUM: Stage = {f"sum-{name}": V(_linear_only(_weighed(weigh)), code) for name, (weigh, code) in _SUMS.items()}
"""What linear attention divides by, where it should be the sum of the weights."""


def _unmasked(f: AttentionInputs) -> None:
    if not f.causal:
        raise NotApplicable
    f.allowed = None


CAUSAL: Stage = {"linear-missing": V(_linear_only(_unmasked), "linear-not-causal")}
