"""Causal masks, the mask that is handed over, and what masked scores are filled with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.inputs import AttentionInputs, Stage, Step, V

Seen = Callable[[Array, Array, int], Array]
"""From positions of queries ``(Sq, 1)`` and keys ``(Sk,)``, and that of the first query, to what may be seen."""


def _causal(seen: Seen, corner: bool = True) -> Step:
    """A causal mask; with ``corner=False`` queries count from the first key where they should not."""

    def apply(f: AttentionInputs) -> None:
        sq, sk = f.logits.shape[-2:]
        if not f.causal:
            raise NotApplicable
        f.corner = f.first_position(sq, sk) if corner else 0
        f.allowed = seen(np.arange(sq)[:, None] + f.corner, np.arange(sk), f.corner)[None, None]

    return apply


def _top_left(f: AttentionInputs) -> None:
    if f.first_position(*f.logits.shape[-2:]) == 0:
        raise NotApplicable
    _causal(_up_to(0), corner=False)(f)


def _causal_default(f: AttentionInputs) -> None:
    if f.causal:
        _causal(_up_to(0))(f)
    else:
        f.allowed, f.corner = None, f.first_position(*f.logits.shape[-2:])


def _causal_missing(f: AttentionInputs) -> None:
    if not f.causal or f.linear:
        raise NotApplicable
    f.allowed, f.corner = None, f.first_position(*f.logits.shape[-2:])


def _missing_beside_bias(times: float) -> Step:
    """No causal mask, and a bias that falls with the distance on both sides (2), or stays 0 ahead of the query (1)."""

    def apply(f: AttentionInputs) -> None:
        _causal_missing(f)
        if f.slopes is None:
            raise NotApplicable
        i, j = np.arange(f.logits.shape[-2])[:, None], np.arange(f.logits.shape[-1])
        f.logits = f.logits - times * f.slopes * np.maximum(j - i - f.corner, 0)

    return apply


def _up_to(offset: int) -> Seen:
    return lambda i, j, first: j <= i + offset


def _hides_but_first(i: Array, j: Array, first: int) -> Array:
    """Strictly earlier keys, but for the first query, which keeps the key it stands at."""
    keep: Array = j < i
    keep[0, max(0, first)] = True
    return keep


def _query_block(block: int) -> Seen:
    """Causal by blocks of queries: everything up to the end of the own block is seen."""
    return lambda i, j, first: j < np.minimum(((i - first) // block + 1) * block, len(i)) + first


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
        queries = f.logits.shape[-2]
        if keep.shape[-1] != queries:
            lengths = keep.sum(-1, keepdims=True)
            if not np.array_equal(keep, np.arange(keep.shape[-1]) < lengths):
                raise NotApplicable
            keep = np.arange(queries) < lengths
        return keep.swapaxes(-1, -2)
    if f.logits.shape[-1] != f.logits.shape[-2]:
        raise NotApplicable
    return keep.swapaxes(-1, -2)


def _on_queries_cut(f: AttentionInputs, keep: Array) -> Array:
    """A padding mask of the keys laid over as many queries as there are."""
    queries = f.logits.shape[-2]
    if keep.shape[-2] != 1 or keep.shape[-1] == queries:
        raise NotApplicable
    cut = np.ones((*keep.shape[:-1], queries), bool)
    n = min(queries, keep.shape[-1])
    cut[..., :n] = keep[..., :n]
    return cut.swapaxes(-1, -2)


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


def _rows_repeated(f: AttentionInputs, keep: Array) -> Array:
    """A mask a batch entry, repeated in the order of the entries for rows that are in the order of the queries."""
    b, h, queries = f.logits.shape[:3]
    if keep.shape[:3] != (b, 1, 1) or b == 1:
        raise NotApplicable
    rows = np.arange(b * h * queries) % b
    repeated: Array = keep[rows, 0, 0].reshape(b, h, queries, -1)
    return repeated


def _first_of_batch(f: AttentionInputs, keep: Array) -> Array:
    if keep.shape[0] == 1:
        raise NotApplicable
    return keep[:1]


def _first_head(f: AttentionInputs, keep: Array) -> Array:
    if keep.shape[1] == 1:
        raise NotApplicable
    return keep[:, :1]


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


def need_mask(f: AttentionInputs) -> Array:
    """What may be attended to, of the shape of the scores; there must be a mask."""
    if f.allowed is None:
        raise NotApplicable
    return np.broadcast_to(f.allowed, f.logits.shape)


def _fill(value: float) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.logits = np.where(need_mask(f), f.logits, value)
        f.allowed = None

    return apply


def _fill_before_scale(value: float) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.logits = np.where(need_mask(f), f.logits, value * f.query.shape[-1] ** -0.5)
        f.allowed = None

    return apply


def _add(value: float) -> Step:
    def apply(f: AttentionInputs) -> None:
        f.logits = f.logits + np.where(need_mask(f), 0.0, value)
        f.allowed = None

    return apply


def _add_flag(masked: bool) -> Step:
    def apply(f: AttentionInputs) -> None:
        keep = need_mask(f)
        f.logits = f.logits + (~keep if masked else keep)
        f.allowed = None

    return apply


def _fill_none(f: AttentionInputs) -> None:
    return


CAUSAL: Stage = {
    "right": V(_causal_default),
    "missing": V(_causal_missing, "causal-missing"),
    "missing-symmetric": V(_missing_beside_bias(2.0), "causal-missing"),
    "missing-flat": V(_missing_beside_bias(1.0), "causal-missing"),
    "leaks": V(_causal(_up_to(1)), "causal-leaks-next"),
    "hides": V(_causal(_up_to(-1)), "causal-hides-self"),
    "hides-but-first": V(_causal(_hides_but_first), "causal-hides-self"),
    "reversed": V(_causal(lambda i, j, first: j >= i), "causal-reversed"),
    "future": V(_causal(lambda i, j, first: j > i), "causal-reversed"),
    "top-left": V(_top_left, "causal-top-left"),
    "top-left-leaks": V(_causal(_up_to(1), corner=False), "causal-leaks-next"),
    "top-left-hides": V(_causal(_up_to(-1), corner=False), "causal-hides-self"),
    "top-left-reversed": V(_causal(lambda i, j, first: j >= i, corner=False), "causal-reversed"),
    **{f"block-{n}": V(_causal(_query_block(n)), "causal-leaks-next") for n in (2, 4, 8, 16, 32, 64)},
}
MASK: Stage = {
    "right": V(_read_mask()),
    "inverted": V(_read_mask(lambda f, m: ~m), "mask-inverted"),
    "ignored": V(_read_mask(lambda f, m: None), "mask-ignored"),
    "on-queries": V(_read_mask(_on_queries), "mask-on-queries"),
    "on-queries-cut": V(_read_mask(_on_queries_cut), "mask-on-queries"),
    "both-axes": V(_read_mask(_both_axes), "mask-on-queries"),
    "repeated": V(_read_mask(_batch_repeated), "mask-wrong-broadcast"),
    "rows-repeated": V(_read_mask(_rows_repeated), "mask-wrong-broadcast"),
    "first": V(_read_mask(_first_of_batch), "mask-wrong-broadcast"),
    "first-head": V(_read_mask(_first_head), "mask-wrong-broadcast"),
    "over-heads": V(_read_mask(_over_heads), "mask-wrong-broadcast"),
    "overwrites": V(_read_mask(_overwrites), "mask-overwritten"),
    "overwritten": V(_read_mask(_overwritten), "mask-overwritten"),
    "either": V(_read_mask(_or_causal), "mask-overwritten"),
}
FILL: Stage = {
    "right": V(_fill_none),
    "zero": V(_fill(0.0), "mask-filled-with-zero"),
    "one": V(_fill(1.0), "mask-filled-with-zero"),
    "minus-one": V(_fill(-1.0), "mask-fill-weak"),
    **{f"{v:g}": V(_fill(v), "mask-fill-weak") for v in (-5.0, -10.0, -20.0, -50.0, -100.0, -1000.0, -1e4)},
    **{f"add{v:g}": V(_add(v), "mask-fill-weak") for v in (-5.0, -10.0, -20.0, -50.0, -100.0, -1000.0, -1e4)},
    **{f"scaled{v:g}": V(_fill_before_scale(v), "mask-fill-weak") for v in (-1.0, -10.0, -100.0, -1000.0, -1e4)},
    "positive": V(_fill(1e30), "mask-fill-positive"),
    "add-positive": V(_add(1e9), "mask-fill-positive"),
    "add-keep": V(_add_flag(masked=False), "mask-added-as-bool"),
    "add-masked": V(_add_flag(masked=True), "mask-added-as-bool"),
}
