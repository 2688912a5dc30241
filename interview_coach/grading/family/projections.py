"""Projections, the split into heads, grouped heads, the merge and the output projection."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.inputs import AttentionInputs, Stage, Step, V


def _project(
    roles: tuple[str, str, str] = ("q", "k", "v"),
    sources: str = "xcv",
    without_bias: str = "",
    batch_first: bool = True,
) -> Step:
    """``roles``: whose weights make q, k, v; ``sources``: from ``x`` or the context ``c``."""

    def apply(f: AttentionInputs) -> None:
        if f.weights is None:
            if sources != "xcv" or without_bias:
                raise NotApplicable
            given = {"q": f.q, "k": f.k, "v": f.v}
            query, key, value = (given[r] for r in roles)
            assert query is not None and key is not None and value is not None
            if key.shape[-2] != value.shape[-2] or query.shape[-1] != key.shape[-1]:
                raise NotApplicable
        else:
            w = f.weights
            if f.context is None and sources != "xcv":
                raise NotApplicable
            if without_bias and all(getattr(w, f"{r}_bias") is None for r in without_bias):
                raise NotApplicable
            sources_of = dict(zip("xcv", w.sources(f), strict=True))
            made = []
            for role, source in zip(roles, sources, strict=True):
                b = None if role in without_bias else getattr(w, f"{role}_bias")
                y = f.product(role, sources_of[source], getattr(w, role))
                made.append(y if b is None else y + b)
            query, key, value = made
            if key.shape[-2] != value.shape[-2]:
                raise NotApplicable
        if not batch_first:
            query, key, value = (t.swapaxes(0, -2) for t in (query, key, value))
            f.swapped = True
        f.query, f.key, f.value = query, key, value

    return apply


# ── split into heads ───────────────────────────────────────────────────────────────────────────────────────────────


def _pool_batch(f: AttentionInputs) -> None:
    """Every batch entry sees the keys of all."""
    _project()(f)
    if f.key.shape[0] == 1:
        raise NotApplicable
    f.key, f.value = (_pooled(t) for t in (f.key, f.value))


def _pooled(t: Array) -> Array:
    joined = np.concatenate(list(t), axis=-2)[None]
    return np.repeat(joined, t.shape[0], axis=0)


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


def _split_and_merge_by_view(f: AttentionInputs) -> None:
    """No transpose at all, neither before nor after."""
    _split({"all": "view"})(f)
    if f.weights is None:
        raise NotApplicable
    f.unsplit = True


def _share_heads(f: AttentionInputs) -> None:
    """Every head uses the projections of the first."""
    _split({"all": "right"})(f)
    if f.weights is None or f.heads == 1:
        raise NotApplicable
    f.query, f.key, f.value = (np.repeat(t[:, :1], t.shape[1], axis=1) for t in (f.query, f.key, f.value))


def _interleave(t: Array, groups: int) -> Array:
    return np.repeat(t, groups, axis=1)


def _tile(t: Array, groups: int) -> Array:
    return np.tile(t, (1, groups, 1, 1))


def _along_sequence(t: Array, groups: int) -> Array:
    """Repeated along the sequence, and cut into heads by a view of ``(B, H, S, D)``."""
    b, h, s, d = t.shape
    return np.repeat(t, groups, axis=2).reshape(b, h * groups, s, d)


def _tiled_along_sequence(t: Array, groups: int) -> Array:
    """The sequence several times over, cut into heads by a view of ``(B, S, H, D)``."""
    b, h, s, d = t.shape
    return np.tile(t.swapaxes(1, 2), (1, groups, 1, 1)).reshape(b, s, h * groups, d).swapaxes(1, 2)


def _along_batch(t: Array, groups: int) -> Array:
    b, h, s, d = t.shape
    return np.tile(t, (groups, 1, 1, 1)).reshape(b, h * groups, s, d)


def _channels_of_heads(t: Array, groups: int) -> Array:
    """Channels repeated and cut into heads."""
    b, h, s, d = t.shape
    return np.repeat(t, groups, axis=3).reshape(b, h, s, groups, d).swapaxes(2, 3).reshape(b, h * groups, s, d)


def _heads(index: Callable[[int, int], int]) -> Callable[[Array, int], Array]:
    """Key/value head ``index(query head, number of key/value heads)`` serves each query head."""

    def widen(t: Array, groups: int) -> Array:
        h = t.shape[1]
        return t[:, [index(i, h) for i in range(h * groups)]]

    return widen


def _averaged(t: Array, groups: int) -> Array:
    return np.repeat(t.mean(1, keepdims=True), t.shape[1] * groups, axis=1)


Widen = Callable[[Array, int], Array]


def _group(key: Widen = _interleave, value: Widen = _interleave) -> Step:
    """Key/value heads are brought to the number of query heads."""

    def apply(f: AttentionInputs) -> None:
        heads, kv = f.query.shape[1], f.key.shape[1]
        usual = key is _interleave and value is _interleave
        if kv == heads and usual:
            return
        if kv == heads or (kv == 1 and {key, value} <= {_interleave, _tile} and not usual):
            raise NotApplicable
        f.groups = heads // kv
        f.key, f.value = key(f.key, f.groups), value(f.value, f.groups)

    return apply


def _direct(f: AttentionInputs) -> bool:
    return f.weights is None


def _regrouped(f: AttentionInputs, how: str) -> Array:
    """Heads in the order (within the group, group), or such an order taken for the usual one."""
    b, h, s, d = f.out.shape
    if f.groups in (1, h):
        raise NotApplicable
    split = (b, -1, f.groups, s, d) if how == "groups" else (b, f.groups, -1, s, d)
    return f.out.reshape(split).swapaxes(1, 2).reshape(b, h, s, d)


def _merge(how: str) -> Step:
    def apply(f: AttentionInputs) -> None:
        o = f.out
        b, h, s, d = o.shape
        if _direct(f):
            if how == "right":
                return
            if how in ("groups", "groups-back"):
                f.out = _regrouped(f, how)
                return
            if how == "view" and h > 1 and s > 1:
                f.out = o.transpose(0, 2, 1, 3).reshape(b, h, s, d)
                return
            if how == "inner" and h > 1 and s > 1:
                f.out = o.reshape(b, s, h, d).transpose(0, 2, 1, 3)
                return
            raise NotApplicable
        if how != "right" and (h == 1 or f.unsplit):
            raise NotApplicable
        if f.unsplit:
            f.out = o.reshape(b, s, h * d)
        elif how == "right":
            f.out = o.transpose(0, 2, 1, 3).reshape(b, s, h * d)
        elif how == "inner":
            f.out = o.transpose(0, 2, 3, 1).reshape(b, s, h * d)
        elif how == "view":
            f.out = o.reshape(b, s, h * d)
        elif how in ("groups", "groups-back"):
            f.out = _regrouped(f, how).transpose(0, 2, 1, 3).reshape(b, s, h * d)
        elif how == "mean":
            f.out = o.mean(1)
        elif how == "mean-tiled":
            f.out = np.tile(o.mean(1), (1, 1, h))
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
        elif w.set_block:
            if not bias or residual or f.query.ndim != 4:
                raise NotApplicable
            b, h, n, d = f.query.shape
            f.out = w.projected(f.out, f.query.transpose(0, 2, 1, 3).reshape(b, n, h * d))
        elif w.o is not None:
            f.out = f.out @ w.o
            if bias and w.o_bias is not None:
                f.out = f.out + w.o_bias
            elif not bias and w.o_bias is None:
                raise NotApplicable
        elif not bias:
            raise NotApplicable
        if residual:
            if w.residual:
                raise NotApplicable
            assert f.x is not None
            f.out = f.out + f.x
        f.out = w.finished(f.out, f)

    return apply


PROJECT: Stage = {
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
    "context-ignored": V(_project(sources="xxx"), "context-ignored"),
    "values-from-keys": V(_project(sources="xcc"), "values-keys-swapped"),
    "values-from-x": V(_project(sources="xcx"), "context-ignored"),
    "keys-from-x": V(_project(sources="xxv"), "context-ignored"),
    "queries-from-context": V(_project(sources="ccv"), "queries-from-context"),
    "sides-swapped": V(_project(sources="cxx"), "queries-from-context"),
    "bias-unused": V(_project(without_bias="qkv"), "bias-unused"),
    "bias-of-values-unused": V(_project(without_bias="v"), "bias-unused"),
    "bias-of-queries-unused": V(_project(without_bias="q"), "bias-unused"),
    "batch-mixed": V(_project(batch_first=False), "batch-mixed"),
    "batch-pooled": V(_pool_batch, "batch-mixed"),
}
SPLIT: Stage = {
    "right": V(_split({"all": "right"})),
    "view": V(_split({"all": "view"}), "heads-not-transposed"),
    "view-through": V(_split_and_merge_by_view, "heads-not-transposed"),
    "inner": V(_split({"all": "inner"}), "heads-axis-order"),
    "view-keys-values": V(_split({"query": "right", "all": "view"}), "heads-not-transposed"),
    "view-values": V(_split({"value": "view", "all": "right"}), "heads-not-transposed"),
    "view-keys": V(_split({"key": "view", "all": "right"}), "heads-not-transposed"),
    "view-queries": V(_split({"query": "view", "all": "right"}), "heads-not-transposed"),
    "share": V(_share_heads, "heads-share-weights"),
}
GROUP: Stage = {
    "right": V(_group()),
    "tile": V(_group(_tile, _tile), "gqa-tiled-heads"),
    "tile-values": V(_group(_interleave, _tile), "gqa-tiled-heads"),
    "tile-keys": V(_group(_tile, _interleave), "gqa-tiled-heads"),
    "reversed": V(_group(*[_heads(lambda i, h: h - 1 - i % h)] * 2), "gqa-tiled-heads"),
    "clamped": V(_group(*[_heads(lambda i, h: min(i, h - 1))] * 2), "gqa-tiled-heads"),
    "first": V(_group(*[_heads(lambda i, h: 0)] * 2), "gqa-tiled-heads"),
    "last": V(_group(*[_heads(lambda i, h: h - 1)] * 2), "gqa-tiled-heads"),
    "averaged": V(_group(_averaged, _averaged), "heads-averaged"),
    **{
        f"{name}{which}": V(_group(*pair), "gqa-wrong-axis")
        for name, widen in (
            ("sequence", _along_sequence),
            ("sequence-tiled", _tiled_along_sequence),
            ("batch", _along_batch),
            ("channels", _channels_of_heads),
        )
        for which, pair in (("", (widen, widen)), ("-keys", (widen, _interleave)), ("-values", (_interleave, widen)))
    },
}
MERGE: Stage = {
    "right": V(_merge("right")),
    "view": V(_merge("view"), "heads-merge-not-transposed"),
    "mean": V(_merge("mean"), "heads-averaged"),
    "mean-tiled": V(_merge("mean-tiled"), "heads-averaged"),
    "groups": V(_merge("groups"), "heads-axis-order"),
    "groups-back": V(_merge("groups-back"), "heads-axis-order"),
    "inner": V(_merge("inner"), "heads-axis-order"),
}
OUTPUT: Stage = {
    "right": V(_output_projection()),
    "missing": V(_output_projection(project=False), "output-projection-missing"),
    "bias-unused": V(_output_projection(bias=False), "bias-unused"),
    "residual": V(_output_projection(residual=True), "residual-inside"),
}
