"""The family of attentions: projections, head split, logits, masks, softmax, mixing, merge, output projection.

Sources of the mistakes: public threads and code, listed with their codes in the catalogue of bug classes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from interview_coach.grading.family.base import Family, NotApplicable, Variant
from interview_coach.oracles.attention import causal_mask, softmax

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Weights:
    """Projections, each ``(in, out)`` for ``x @ w``; a missing bias or output projection is ``None``."""

    q: Array
    k: Array
    v: Array
    o: Array | None = None
    q_bias: Array | None = None
    k_bias: Array | None = None
    v_bias: Array | None = None
    o_bias: Array | None = None
    kv_heads: int | None = None


@dataclass(slots=True)
class AttentionInputs:
    """Canonical inputs, and the values that flow through the stages.

    Either ``q``, ``k``, ``v`` are given as ``(B, H, S, D)``, or ``x`` (``(B, S, C)``), ``context`` and ``weights``.
    ``keep`` is the mask in the meaning True = may attend, broadcastable to ``(B, H, Sq, Sk)``; ``bias`` is added to the
    logits. ``padding`` says that ``keep`` comes from a ``(B, Sk)`` mask.
    """

    heads: int = 1
    q: Array | None = None
    k: Array | None = None
    v: Array | None = None
    x: Array | None = None
    context: Array | None = None
    value_context: Array | None = None
    weights: Weights | None = None
    keep: Array | None = None
    bias: Array | None = None
    padding: bool = False
    causal: bool = False
    empty_rows: str = "zero"
    conventions: dict[str, str] = field(default_factory=dict)
    query: Array = field(init=False)
    key: Array = field(init=False)
    value: Array = field(init=False)
    logits: Array = field(init=False)
    allowed: Array | None = field(init=False, default=None)
    attention: Array = field(init=False)
    out: Array = field(init=False)

    def fresh(self) -> AttentionInputs:
        """The same inputs to run another choice on."""
        return AttentionInputs(
            self.heads, self.q, self.k, self.v, self.x, self.context, self.value_context, self.weights, self.keep, self.bias, self.padding,
            self.causal, self.empty_rows, self.conventions,
        )  # fmt: skip


Step = Callable[[AttentionInputs], None]
V = Variant[AttentionInputs]


# ── project: q, k, v as (B, S, width), or as given ──────────────────────────────────────────────────────────────────


def _project(
    roles: tuple[str, str, str] = ("q", "k", "v"), sources: str = "xcv", bias: bool = True, batch_first: bool = True
) -> Step:
    """``roles``: whose weights make q, k, v; ``sources``: from ``x`` or the context ``c``."""

    def apply(f: AttentionInputs) -> None:
        if f.weights is None:
            if sources != "xcv" or not bias:
                raise NotApplicable
            given = {"q": f.q, "k": f.k, "v": f.v}
            query, key, value = (given[r] for r in roles)
            assert query is not None and key is not None and value is not None
            if key.shape[-2] != value.shape[-2] or query.shape[-1] != key.shape[-1]:
                raise NotApplicable
        else:
            w, x = f.weights, f.x
            assert x is not None
            if f.context is None and sources != "xcv":
                raise NotApplicable
            if not bias and w.q_bias is None and w.k_bias is None and w.v_bias is None:
                raise NotApplicable
            context = x if f.context is None else f.context
            sources_of = {"x": x, "c": context, "v": context if f.value_context is None else f.value_context}
            made = []
            for role, source in zip(roles, sources, strict=True):
                b = getattr(w, f"{role}_bias") if bias else None
                y = sources_of[source] @ getattr(w, role)
                made.append(y if b is None else y + b)
            query, key, value = made
            if key.shape[-2] != value.shape[-2]:
                raise NotApplicable
        if not batch_first:
            query, key, value = (t.swapaxes(0, -2) for t in (query, key, value))
        f.query, f.key, f.value = query, key, value

    return apply


# ── split into heads ───────────────────────────────────────────────────────────────────────────────────────────────


def _heads_of(f: AttentionInputs, which: str) -> int:
    kv = f.weights.kv_heads if f.weights is not None else None
    return f.heads if which == "query" or kv is None else kv


def _split(how: dict[str, str]) -> Step:
    """``how``: for query, key, value: ``right``, ``view`` (no transpose) or ``inner`` (heads on the inner axis)."""

    def apply(f: AttentionInputs) -> None:
        for which in ("query", "key", "value"):
            t = getattr(f, which)
            if t.ndim == 4:
                if set(how.values()) != {"right"}:
                    raise NotApplicable
                continue
            b, s, width = t.shape
            h = _heads_of(f, which)
            kind = how.get(which, how["all"])
            if kind == "right":
                t = t.reshape(b, s, h, width // h).transpose(0, 2, 1, 3)
            elif kind == "inner":
                t = t.reshape(b, s, width // h, h).transpose(0, 3, 1, 2)
            elif h == 1 or s == 1:
                raise NotApplicable
            else:
                t = t.reshape(b, h, s, width // h)
            setattr(f, which, t)

    return apply


def _share_heads(f: AttentionInputs) -> None:
    """Every head uses the projections of the first."""
    _split({"all": "right"})(f)
    if f.weights is None or f.heads == 1:
        raise NotApplicable
    f.query, f.key, f.value = (np.repeat(t[:, :1], t.shape[1], axis=1) for t in (f.query, f.key, f.value))


def _group(key: str = "interleave", value: str = "interleave") -> Step:
    def widen(t: Array, heads: int, how: str) -> Array:
        groups = heads // t.shape[1]
        return np.repeat(t, groups, axis=1) if how == "interleave" else np.tile(t, (1, groups, 1, 1))

    def apply(f: AttentionInputs) -> None:
        heads = f.query.shape[1]
        if f.key.shape[1] == heads or f.key.shape[1] == 1:
            if (key, value) != ("interleave", "interleave"):
                raise NotApplicable
            if f.key.shape[1] == heads:
                return
        f.key, f.value = widen(f.key, heads, key), widen(f.value, heads, value)

    return apply


# ── logits ─────────────────────────────────────────────────────────────────────────────────────────────────────────


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


def _pow2(n: int) -> int:
    return 1 << (n - 1).bit_length()


def _padded(to: Callable[[int], int]) -> Step:
    def factor(f: AttentionInputs) -> float:
        if to(_dim(f)) == _dim(f):
            raise NotApplicable
        return float(to(_dim(f)) ** -0.5)

    return _scale(factor)


# ── masks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _causal(make: Callable[[int, int], Array] | None) -> Step:
    def apply(f: AttentionInputs) -> None:
        sq, sk = f.logits.shape[-2:]
        if make is None:
            f.allowed = None
        else:
            if not f.causal:
                raise NotApplicable
            f.allowed = make(sq, sk)[None, None]

    return apply


def _causal_default(f: AttentionInputs) -> None:
    sq, sk = f.logits.shape[-2:]
    f.allowed = causal_mask(sq, sk)[None, None] if f.causal else None


def _causal_missing(f: AttentionInputs) -> None:
    if not f.causal:
        raise NotApplicable
    f.allowed = None


def _shifted(offset: int, corner: bool = True) -> Callable[[int, int], Array]:
    def make(sq: int, sk: int) -> Array:
        i, j = np.arange(sq)[:, None], np.arange(sk)[None, :]
        return j <= i + (sk - sq if corner else 0) + offset

    return make


def _reversed(sq: int, sk: int) -> Array:
    i, j = np.arange(sq)[:, None], np.arange(sk)[None, :]
    return j >= i + sk - sq


def _future_only(sq: int, sk: int) -> Array:
    i, j = np.arange(sq)[:, None], np.arange(sk)[None, :]
    return j > i + sk - sq


def _top_left(sq: int, sk: int) -> Array:
    if sq == sk:
        raise NotApplicable
    return _shifted(0, corner=False)(sq, sk)


def _query_block(block: int) -> Callable[[int, int], Array]:
    """Causal by blocks of queries: everything up to the end of the own block is seen."""

    def make(sq: int, sk: int) -> Array:
        i, j = np.arange(sq)[:, None], np.arange(sk)[None, :]
        return j < np.minimum((i // block + 1) * block, sq) + sk - sq

    return make


def _merge_keep(f: AttentionInputs, keep: Array | None) -> None:
    if keep is not None:
        f.allowed = keep if f.allowed is None else f.allowed & keep


def _read_mask(change: Callable[[AttentionInputs, Array], Array | None] | None = None) -> Step:
    """What becomes of the mask that was handed over; ``change`` turns it into what is really kept."""

    def apply(f: AttentionInputs) -> None:
        if f.bias is not None:
            if change is None:
                f.logits = f.logits + f.bias
            elif change(f, np.ones_like(f.bias, bool)) is not None:
                raise NotApplicable
            return
        if f.keep is None:
            if change is not None:
                raise NotApplicable
            return
        _merge_keep(f, f.keep if change is None else change(f, f.keep))

    return apply


def _on_queries(f: AttentionInputs, keep: Array) -> Array:
    keep = np.broadcast_to(keep, (*keep.shape[:2], f.logits.shape[-2] if keep.shape[-2] > 1 else 1, keep.shape[-1]))
    if keep.shape[-2] == 1:
        if keep.shape[-1] != f.logits.shape[-2]:
            raise NotApplicable
        return keep.swapaxes(-1, -2)
    if f.logits.shape[-1] != f.logits.shape[-2]:
        raise NotApplicable
    return keep.swapaxes(-1, -2)


def _both_axes(f: AttentionInputs, keep: Array) -> Array:
    if not f.padding:
        raise NotApplicable
    return keep & _on_queries(f, keep)


def _batch_repeated(f: AttentionInputs, keep: Array) -> Array:
    """The mask repeated per head in the order head-major, for rows that are batch-major."""
    b, h = f.logits.shape[:2]
    if keep.shape[1] != 1 or keep.shape[0] != b or h == 1 or b == 1:
        raise NotApplicable
    return np.tile(keep[:, 0], (h, 1, 1)).reshape(b, h, *keep.shape[2:])


def _first_of_batch(f: AttentionInputs, keep: Array) -> Array:
    if keep.shape[0] == 1:
        raise NotApplicable
    return keep[:1]


def _over_heads(f: AttentionInputs, keep: Array) -> Array:
    """A ``(B, ...)`` mask that lands on the head axis."""
    if keep.shape[0] != f.logits.shape[1] or keep.shape[1] != 1:
        raise NotApplicable
    return keep.swapaxes(0, 1)


def _overwrites(f: AttentionInputs, keep: Array) -> Array:
    if f.allowed is None:
        raise NotApplicable
    f.allowed = None
    return keep


def _overwritten(f: AttentionInputs, keep: Array) -> None:
    if f.allowed is None:
        raise NotApplicable


def _or_causal(f: AttentionInputs, keep: Array) -> None:
    if f.allowed is None:
        raise NotApplicable
    f.allowed = f.allowed | keep


# ── from logits to weights ─────────────────────────────────────────────────────────────────────────────────────────


def _need_mask(f: AttentionInputs) -> Array:
    if f.allowed is None:
        raise NotApplicable
    return np.broadcast_to(f.allowed, f.logits.shape)


def _fill(value: float) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.logits = np.where(_need_mask(f), f.logits, value)
        f.allowed = None

    return apply


def _fill_before_scale(value: float) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.logits = np.where(_need_mask(f), f.logits, value * _dim(f) ** -0.5)
        f.allowed = None

    return apply


def _add(value: float) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.logits = f.logits + np.where(_need_mask(f), 0.0, value)
        f.allowed = None

    return apply


def _add_flag(masked: bool) -> Step:
    def apply(f: AttentionInputs) -> None:
        keep = _need_mask(f)
        f.logits = f.logits + (~keep if masked else keep)
        f.allowed = None

    return apply


def _fill_none(f: AttentionInputs) -> None:
    return


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


def _after_softmax(f: AttentionInputs) -> None:
    f.attention = softmax(f.logits) * _need_mask(f)


def _naive_linear(f: AttentionInputs, s: Array) -> Array:
    return s if f.allowed is None else np.where(f.allowed, s, 0.0)


def _after_scale(factor: Callable[[AttentionInputs], float]) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.attention = softmax(np.where(_allowed(f), f.logits * _dim(f) ** 0.5, -np.inf)) * factor(f)

    return apply


def _allowed(f: AttentionInputs) -> Array:
    return np.ones((1, 1, 1, 1), bool) if f.allowed is None else f.allowed


# ── mix, merge, output ─────────────────────────────────────────────────────────────────────────────────────────────


def _mix(f: AttentionInputs) -> None:
    f.out = f.attention @ f.value


def _mix_transposed(f: AttentionInputs) -> None:
    if f.attention.shape[-1] != f.attention.shape[-2]:
        raise NotApplicable
    f.out = f.attention.swapaxes(-1, -2) @ f.value


def _direct(f: AttentionInputs) -> bool:
    return f.weights is None


def _merge(how: str) -> Step:
    def apply(f: AttentionInputs) -> None:
        o = f.out
        b, h, s, d = o.shape
        if _direct(f):
            if how == "right":
                return
            if how == "groups" and f.k is not None and f.k.shape[1] not in (1, h):
                groups = h // f.k.shape[1]
                f.out = o.reshape(b, -1, groups, s, d).swapaxes(1, 2).reshape(b, h, s, d)
                return
            if how == "view" and h > 1 and s > 1:
                f.out = o.transpose(0, 2, 1, 3).reshape(b, h, s, d)
                return
            raise NotApplicable
        if h == 1 and how != "right":
            raise NotApplicable
        if how == "right":
            f.out = o.transpose(0, 2, 1, 3).reshape(b, s, h * d)
        elif how == "inner":
            f.out = o.transpose(0, 2, 3, 1).reshape(b, s, h * d)
        elif how == "view":
            f.out = o.reshape(b, s, h * d)
        elif how == "mean":
            f.out = np.tile(o.mean(1), (1, 1, 1))
        else:
            raise NotApplicable

    return apply


def _output_projection(bias: bool = True, project: bool = True, residual: bool = False) -> Step:
    def apply(f: AttentionInputs) -> None:
        w = f.weights
        if w is None:
            if residual or not (bias and project):
                if residual and f.q is not None and f.q.shape == f.out.shape:
                    f.out = f.out + f.q
                    return
                raise NotApplicable
            return
        if not project:
            if w.o is None:
                raise NotApplicable
        elif w.o is not None:
            f.out = f.out @ w.o
            if bias and w.o_bias is not None:
                f.out = f.out + w.o_bias
            elif not bias and w.o_bias is None:
                raise NotApplicable
        elif not bias:
            raise NotApplicable
        if residual:
            assert f.x is not None
            f.out = f.out + f.x

    return apply


def _batch_back(f: AttentionInputs) -> None:
    f.out = f.out.swapaxes(0, -2)


def _finish(f: AttentionInputs) -> Array:
    return f.out


_D = _dim
ATTENTION: Family[AttentionInputs] = Family(
    stages={
        "project": {
            "right": V(_project()),
            "reuse-k": V(_project(("q", "k", "k")), "projection-reused"),
            "reuse-q-k": V(_project(("q", "q", "v")), "projection-reused"),
            "reuse-v": V(_project(("q", "v", "v")), "projection-reused"),
            "reuse-q-v": V(_project(("q", "k", "q")), "projection-reused"),
            "reuse-k-q": V(_project(("k", "k", "v")), "projection-reused"),
            "reuse-q": V(_project(("q", "q", "q")), "projection-reused"),
            "swap-k-v": V(_project(("q", "v", "k")), "values-keys-swapped"),
            "swap-q-v": V(_project(("v", "k", "q")), "values-keys-swapped"),
            "rotate": V(_project(("k", "v", "q")), "values-keys-swapped"),
            "rotate-back": V(_project(("v", "q", "k")), "values-keys-swapped"),
            "swap-q-k": V(_project(("k", "q", "v")), "values-keys-swapped"),
            "context-ignored": V(_project(sources="xxx"), "context-ignored"),
            "values-from-keys": V(_project(sources="xcc"), "values-keys-swapped"),
            "values-from-x": V(_project(sources="xcx"), "context-ignored"),
            "keys-from-x": V(_project(sources="xxv"), "context-ignored"),
            "queries-from-context": V(_project(sources="ccv"), "queries-from-context"),
            "sides-swapped": V(_project(sources="cxx"), "queries-from-context"),
            "bias-unused": V(_project(bias=False), "bias-unused"),
            "batch-mixed": V(_project(batch_first=False), "batch-mixed"),
        },
        "split": {
            "right": V(_split({"all": "right"})),
            "view": V(_split({"all": "view"}), "heads-not-transposed"),
            "view-keys-values": V(_split({"query": "right", "all": "view"}), "heads-not-transposed"),
            "view-values": V(_split({"value": "view", "all": "right"}), "heads-not-transposed"),
            "view-keys": V(_split({"key": "view", "all": "right"}), "heads-not-transposed"),
            "view-queries": V(_split({"query": "view", "all": "right"}), "heads-not-transposed"),
            "share": V(_share_heads, "heads-share-weights"),
        },
        "group": {
            "right": V(_group()),
            "tile": V(_group("tile", "tile"), "gqa-tiled-heads"),
            "tile-values": V(_group("interleave", "tile"), "gqa-tiled-heads"),
            "tile-keys": V(_group("tile", "interleave"), "gqa-tiled-heads"),
        },
        "scores": {
            "right": V(_scores),
            "transposed": V(_scores_transposed, "scores-transposed"),
            "reshaped": V(_scores_reshaped, "scores-transposed"),
        },
        "scale": {
            "right": V(_scale(lambda f: _D(f) ** -0.5)),
            "none": V(_scale(lambda f: 1.0), "missing-scale"),
            "d": V(_scale(lambda f: 1.0 / _D(f)), "scale-by-d"),
            "d-model": V(_scale(lambda f: _model_dim(f) ** -0.5), "scale-by-d-model"),
            "per-model-dim": V(_scale(lambda f: 1.0 / _model_dim(f)), "scale-by-d-model"),
            "log-d": V(_scale(lambda f: 1.0 / np.log(_D(f))), "scale-by-log-d"),
            "log2-d": V(_scale(lambda f: 1.0 / np.log2(_D(f))), "scale-by-log-d"),
            "inverted": V(_scale(lambda f: _D(f) ** 0.5), "scale-inverted"),
            "times-d": V(_scale(lambda f: float(_D(f))), "scale-inverted"),
            "fourth-root": V(_scale(lambda f: _D(f) ** -0.25), "missing-scale"),
            "keys": V(_scale(lambda f: f.logits.shape[-1] ** -0.5), "scale-from-length"),
            "queries": V(_scale(lambda f: f.logits.shape[-2] ** -0.5), "scale-from-length"),
            "heads": V(_scale(lambda f: f.logits.shape[1] ** -0.5), "scale-by-d-model"),
            "value-dim": V(_scale(lambda f: f.value.shape[-1] ** -0.5), "scale-from-padded-dim"),
            "next-power": V(_padded(_pow2), "scale-from-padded-dim"),
            "sixteen": V(_padded(lambda d: -(-d // 16) * 16), "scale-from-padded-dim"),
            "eight": V(_padded(lambda d: -(-d // 8) * 8), "scale-from-padded-dim"),
            "constant-8": V(_scale(lambda f: 1 / 8), "scale-hard-coded"),
            "constant-sqrt-128": V(_scale(lambda f: 128**-0.5), "scale-hard-coded"),
            "constant-sqrt-512": V(_scale(lambda f: 512**-0.5), "scale-hard-coded"),
            "constant-sqrt-32": V(_scale(lambda f: 32**-0.5), "scale-hard-coded"),
            "constant-4": V(_scale(lambda f: 0.25), "scale-hard-coded"),
        },
        "causal": {
            "right": V(_causal_default),
            "missing": V(_causal_missing, "causal-missing"),
            "leaks": V(_causal(_shifted(1)), "causal-leaks-next"),
            "hides": V(_causal(_shifted(-1)), "causal-hides-self"),
            "reversed": V(_causal(_reversed), "causal-reversed"),
            "future": V(_causal(_future_only), "causal-reversed"),
            "top-left": V(_causal(_top_left), "causal-top-left"),
            "top-left-leaks": V(_causal(_shifted(1, corner=False)), "causal-leaks-next"),
            **{f"block-{n}": V(_causal(_query_block(n)), "causal-leaks-next") for n in (2, 4, 8, 16, 32, 64)},
        },
        "mask": {
            "right": V(_read_mask()),
            "inverted": V(_read_mask(lambda f, m: ~m), "mask-inverted"),
            "ignored": V(_read_mask(lambda f, m: None), "mask-ignored"),
            "on-queries": V(_read_mask(_on_queries), "mask-on-queries"),
            "both-axes": V(_read_mask(_both_axes), "mask-on-queries"),
            "repeated": V(_read_mask(_batch_repeated), "mask-wrong-broadcast"),
            "first": V(_read_mask(_first_of_batch), "mask-wrong-broadcast"),
            "over-heads": V(_read_mask(_over_heads), "mask-wrong-broadcast"),
            "overwrites": V(_read_mask(_overwrites), "mask-overwritten"),
            "overwritten": V(_read_mask(_overwritten), "mask-overwritten"),
            "either": V(_read_mask(_or_causal), "mask-overwritten"),
        },
        "fill": {
            "right": V(_fill_none),
            "zero": V(_fill(0.0), "mask-filled-with-zero"),
            "one": V(_fill(1.0), "mask-filled-with-zero"),
            "minus-one": V(_fill(-1.0), "mask-fill-weak"),
            **{f"{v:g}": V(_fill(v), "mask-fill-weak") for v in (-5.0, -10.0, -20.0, -50.0, -100.0, -1000.0, -1e4)},
            **{f"add{v:g}": V(_add(v), "mask-fill-weak") for v in (-1.0, -5.0, -10.0, -20.0, -50.0, -100.0, -1000.0, -1e4)},
            **{f"scaled{v:g}": V(_fill_before_scale(v), "mask-fill-weak") for v in (-1.0, -10.0, -100.0, -1000.0, -1e4)},
            "positive": V(_fill(1e30), "mask-fill-positive"),
            "add-positive": V(_add(1e9), "mask-fill-positive"),
            "add-keep": V(_add_flag(masked=False), "mask-added-as-bool"),
            "add-masked": V(_add_flag(masked=True), "mask-added-as-bool"),
        },
        "softmax": {
            "right": V(_normalise(_softmax_rows)),
            "queries": V(_normalise(_axis(-2)), "softmax-wrong-axis"),
            "heads": V(_normalise(_axis(1)), "softmax-wrong-axis"),
            "batch": V(_normalise(_axis(0)), "softmax-wrong-axis"),
            "queries-finite": V(_normalise(_axis(-2, -1e30)), "softmax-wrong-axis"),
            "heads-finite": V(_normalise(_axis(1, -1e30)), "softmax-wrong-axis"),
            "batch-finite": V(_normalise(_axis(0, -1e30)), "softmax-wrong-axis"),
            "all": V(
                _normalise(lambda f, s: softmax(s.reshape(*s.shape[:-2], -1)).reshape(s.shape)), "softmax-wrong-axis"
            ),
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
            "after-mask": V(_after_softmax, "mask-after-softmax"),
            "scale-after": V(_after_scale(lambda f: _D(f) ** -0.5), "scale-after-softmax"),
            "d-after": V(_after_scale(lambda f: 1.0 / _D(f)), "scale-after-softmax"),
            "scale-both": V(_normalise(lambda f, s: softmax(s) * _D(f) ** -0.5), "scale-after-softmax"),
        },
        "mix": {
            "right": V(_mix),
            "transposed": V(_mix_transposed, "scores-transposed"),
        },
        "merge": {
            "right": V(_merge("right")),
            "view": V(_merge("view"), "heads-merge-not-transposed"),
            "mean": V(_merge("mean"), "heads-averaged"),
            "groups": V(_merge("groups"), "heads-axis-order"),
            "inner": V(_merge("inner"), "heads-axis-order"),
        },
        "output": {
            "right": V(_output_projection()),
            "missing": V(_output_projection(project=False), "output-projection-missing"),
            "bias-unused": V(_output_projection(bias=False), "bias-unused"),
            "residual": V(_output_projection(residual=True), "residual-inside"),
        },
    },
    output=_finish,
)


def _ratio(p: Array) -> Array:
    return p / p.sum(-1, keepdims=True)
