"""What each chunk of a sequence finds in the cache, what it may see of it, and where it believes to stand.

A chunk of ``t`` tokens that comes after ``s`` others finds ``s + t`` keys; its token i
sees the first ``s + i + 1``.
The wrong variants are what people make of the cache, of the mask and of the positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.inputs import AttentionInputs, Piece, Stage, Step, V
from interview_coach.grading.family.masks import CAUSAL
from interview_coach.grading.family.positions import rotate
from interview_coach.records import record

EMPTY = -1
"""The number of a slot that nothing was written to; it holds zeros."""


@record
class Entries:
    """Numbers of the tokens whose keys (and values, if others) a chunk finds, in the order in which they lie.

    ``swapped`` marks past entries that hold keys where values belong: ``v`` for copies, ``both`` for an exchange,
    ``each`` for one at every call.
    """

    tokens: tuple[int, ...]
    swapped: str = ""
    values: tuple[int, ...] | None = None


Memory = Callable[[Piece], Entries]


def _own(p: Piece) -> tuple[int, ...]:
    return tuple(range(p.start, p.start + p.length))


def _chunk(p: Piece, number: int) -> tuple[int, ...]:
    return _own(Piece(p.chunks, number))


def _all(p: Piece) -> Entries:
    return Entries(tuple(range(p.start + p.length)))


def _last(p: Piece) -> Entries:
    return Entries((*(_chunk(p, p.number - 1) if p.number else ()), *_own(p)))


def _first(p: Piece) -> Entries:
    return Entries((*(_chunk(p, 0) if p.number else ()), *_own(p)))


def _past_only(p: Piece) -> Entries:
    return Entries(tuple(range(p.start)) if p.number else _own(p))


def _newest_first(p: Piece) -> Entries:
    order: tuple[int, ...] = ()
    for number in range(p.number + 1):
        order = (*_chunk(p, number), *order)
    return Entries(order)


def _new_before_old(p: Piece) -> Entries:
    """The new keys are put before those of the cache, which itself is kept in order."""
    return Entries((*_own(p), *range(p.start)))


def _twice(p: Piece) -> Entries:
    """What comes back is appended to what was kept already."""
    past: tuple[int, ...] = ()
    for number in range(p.number):
        past = (*past, *past, *_chunk(p, number))
    return Entries((*past, *past, *_own(p)) if p.number else _own(p))


def _again(p: Piece) -> Entries:
    """Each chunk is stored twice."""
    past = tuple(token for number in range(p.number) for token in (*_chunk(p, number), *_chunk(p, number)))
    return Entries((*past, *_own(p)))


def _slots(position: Callable[[Piece], int], p: Piece) -> dict[int, int]:
    """The tokens that lie in a buffer which each chunk writes at some position."""
    slots: dict[int, int] = {}
    for number in range(p.number + 1):
        piece = Piece(p.chunks, number)
        slots |= {position(piece) + i: token for i, token in enumerate(_own(piece))}
    return slots


def _written(position: Callable[[Piece], int]) -> Memory:
    """A buffer that is written at some position, and read up to the end of what was written last."""

    def find(p: Piece) -> Entries:
        slots = _slots(position, p)
        return Entries(tuple(slots.get(i, EMPTY) for i in range(position(p) + p.length)))

    return find


def _read_to_length(position: Callable[[Piece], int]) -> Memory:
    """The same buffer, read up to the number of tokens so far."""

    def find(p: Piece) -> Entries:
        slots = _slots(position, p)
        return Entries(tuple(slots.get(i, EMPTY) for i in range(p.start + p.length)))

    return find


def _first_length(p: Piece) -> int:
    return 0 if p.number == 0 else p.chunks[0]


def _previous_length(p: Piece) -> int:
    return 0 if p.number == 0 else p.chunks[p.number - 1]


def _window(dropped: int) -> Memory:
    """The oldest entries are lost at each call after the first."""

    def find(p: Piece) -> Entries:
        past: tuple[int, ...] = ()
        for number in range(p.number):
            past = (*(past[dropped:] if number else past), *_chunk(p, number))
        return Entries((*past[dropped:], *_own(p)) if p.number else _own(p))

    return find


def _newest_lost(p: Piece) -> Entries:
    """The last token of each earlier chunk is lost."""
    return Entries((*(t for n in range(p.number) for t in _chunk(p, n)[:-1]), *_own(p)))


def _keys_of(rule: Memory) -> Memory:
    """The keys alone are found as the rule says."""
    return lambda p: Entries(rule(p).tokens, values=_all(p).tokens)


def _values_of(rule: Memory) -> Memory:
    """The values alone are found as the rule says."""
    return lambda p: Entries(_all(p).tokens, values=rule(p).tokens)


_HALVES: Mapping[str, tuple[Memory, str]] = {
    "written-at-0": (_read_to_length(lambda p: 0), "cache-stale"),
    "written-at-first": (_read_to_length(_first_length), "cache-offset"),
    "written-by-calls": (_read_to_length(lambda p: p.number), "cache-offset"),
    "written-one-early": (_read_to_length(lambda p: max(0, p.start - 1)), "cache-offset"),
    "written-one-late": (_read_to_length(lambda p: p.start + (p.number > 0)), "cache-offset"),
    "newest-first": (_newest_first, "cache-offset"),
    "new-before-old": (_new_before_old, "cache-offset"),
}
MEMORY_RULES: Mapping[str, tuple[Memory, str]] = {
    **{f"keys-{name}": (_keys_of(rule), code) for name, (rule, code) in _HALVES.items()},
    **{f"values-{name}": (_values_of(rule), code) for name, (rule, code) in _HALVES.items()},
    "none": (lambda p: Entries(_own(p)), "cache-stale"),
    "last": (_last, "cache-stale"),
    "first": (_first, "cache-stale"),
    "past-only": (_past_only, "cache-stale"),
    "twice": (_twice, "cache-stale"),
    "again": (_again, "cache-stale"),
    "oldest-lost": (_window(1), "cache-stale"),
    "newest-lost": (_newest_lost, "cache-stale"),
    "newest-first": (_newest_first, "cache-offset"),
    "new-before-old": (_new_before_old, "cache-offset"),
    "written-at-0": (_read_to_length(lambda p: 0), "cache-stale"),
    "written-at-first": (_written(_first_length), "cache-stale"),
    "written-at-first-read-on": (_read_to_length(_first_length), "cache-offset"),
    "written-by-calls": (_written(lambda p: p.number), "cache-offset"),
    "written-by-calls-read-on": (_read_to_length(lambda p: p.number), "cache-offset"),
    "written-by-last": (_written(_previous_length), "cache-offset"),
    "written-by-last-read-on": (_read_to_length(_previous_length), "cache-offset"),
    "written-one-early": (_read_to_length(lambda p: max(0, p.start - 1)), "cache-offset"),
    "written-one-early-read-so": (_written(lambda p: max(0, p.start - 1)), "cache-offset"),
    "written-one-late": (_written(lambda p: p.start + (p.number > 0)), "cache-offset"),
    "written-one-late-read-on": (_read_to_length(lambda p: p.start + (p.number > 0)), "cache-offset"),
    "values-from-keys": (lambda p: Entries(_all(p).tokens, "v"), "values-keys-swapped"),
    "swapped": (lambda p: Entries(_all(p).tokens, "both"), "values-keys-swapped"),
    "swapped-each-time": (lambda p: Entries(_all(p).tokens, "each"), "values-keys-swapped"),
}


def remember(store_k: Array, store_v: Array, entries: Entries, piece: Piece) -> tuple[Array, Array]:
    """Keys and values ``(B, H, n, D)`` of the entries; a slot that nothing was written to holds zeros."""
    key = _fetch(store_k, entries.tokens)
    value = _fetch(store_v, entries.tokens if entries.values is None else entries.values)
    if not entries.swapped:
        return key, value
    if store_k.shape != store_v.shape:
        raise NotApplicable
    numbers = np.array([_number(piece.chunks, token) for token in entries.tokens])
    past = (piece.number - numbers) % 2 == 1 if entries.swapped == "each" else numbers < piece.number
    return (
        key if entries.swapped == "v" else np.where(past[:, None], value, key),
        np.where(past[:, None], key, value),
    )


def _fetch(store: Array, tokens: tuple[int, ...]) -> Array:
    numbers = np.array(tokens)
    found: Array = np.where((numbers == EMPTY)[:, None], 0.0, store[..., numbers, :])
    return found


def _number(chunks: tuple[int, ...], token: int) -> int:
    """The chunk that a token came in."""
    return max(0, int(np.searchsorted(np.cumsum((0, *chunks)), token, side="right")) - 1)


# ── what a chunk may see ───────────────────────────────────────────────────────────────────────────────────────────


def _see(rule: Callable[[Array, Array, int, Piece], Array], later: bool = True) -> Step:
    """``rule``: of query, key, past length and piece; ``later``: only in chunks after the first."""

    def apply(f: AttentionInputs) -> None:
        if f.piece is None or not f.causal:
            raise NotApplicable
        t, n = f.logits.shape[-2:]
        i, j = np.arange(t)[:, None], np.arange(n)[None, :]
        right = j <= i + n - t
        f.allowed = (right if later and f.piece.number == 0 else rule(i, j, n - t, f.piece))[None, None]

    return apply


def _everything(i: Array, j: Array, past: int, p: Piece) -> Array:
    return (i >= 0) & (j >= 0)


def _own_causal_first(i: Array, j: Array, past: int, p: Piece) -> Array:
    return (j <= i) | (j >= p.length)


Rule = Callable[[Array, Array, int, Piece], Array]


def _rows(offset: Callable[[int, Piece], int]) -> Rule:
    return lambda i, j, past, p: j <= i + offset(past, p)


_SEEN: Mapping[str, tuple[Rule, str]] = {
    "top-left": (_rows(lambda past, p: 0), "cache-offset"),
    "one-less": (_rows(lambda past, p: past - 1), "cache-offset"),
    "one-more": (_rows(lambda past, p: past + 1), "cache-offset"),
    "by-first": (_rows(lambda past, p: p.chunks[0]), "cache-offset"),
    "by-last": (_rows(lambda past, p: p.chunks[p.number - 1]), "cache-offset"),
    "by-calls": (_rows(lambda past, p: p.number), "cache-offset"),
    "by-calls-less-one": (_rows(lambda past, p: p.number - 1), "cache-offset"),
    "by-own": (_rows(lambda past, p: p.length), "cache-offset"),
    "one-row": (lambda i, j, past, p: (j <= past) & (i >= 0), "cache-offset"),
    "first-row": (lambda i, j, past, p: (j <= 0) & (i >= 0), "cache-offset"),
    "wrong-side": (_own_causal_first, "cache-offset"),
    "past-causal-own-not": (lambda i, j, past, p: (j >= past) | (j <= i), "cache-offset"),
    "past-only": (lambda i, j, past, p: (j < past) & (i >= 0), "cache-stale"),
    "past-hidden": (lambda i, j, past, p: (j >= past) & (j <= i + past), "cache-stale"),
}


def _several(rule: Rule) -> Rule:
    """A single token sees everything, as where a mask is made for several tokens only."""
    return lambda i, j, past, p: _everything(i, j, past, p) if p.length == 1 else rule(i, j, past, p)


CACHED_CAUSAL: Stage = {
    **{name: v for name, v in CAUSAL.items() if not name.startswith("top-left")},
    "chunk-not-causal": V(_see(_everything), "cache-chunk-not-causal"),
    **{name: V(_see(rule), code) for name, (rule, code) in _SEEN.items()},
    **{f"{name}-of-several": V(_see(_several(rule)), code) for name, (rule, code) in _SEEN.items()},
}

# ── where a rotation believes to be ────────────────────────────────────────────────────────────────────────────────

Offset = Callable[[Piece], float]


@record
class Places:
    """Positions of a chunk's queries and of the keys that it finds, for an attention that rotates by them.

    ``again``: keys come out of the cache rotated and are rotated once more by each later call.
    """

    queries: Offset
    keys: Offset
    again: bool = False


def _true(p: Piece) -> float:
    return p.start


_OFFSETS: Mapping[str, Offset] = {
    "restart": lambda p: 0,
    "by-calls": lambda p: p.number,
    "by-first": _first_length,
    "by-last": _previous_length,
    "one-less": lambda p: max(0, p.start - 1),
    "one-more": lambda p: p.start + (p.number > 0),
    "after": lambda p: (p.start + p.length) if p.number else 0,
    "after-less-one": lambda p: (p.start + p.length - 1) if p.number else 0,
    "twice": lambda p: 2 * p.start,
}
PLACE_RULES: Mapping[str, Places] = {
    "right": Places(_true, _true),
    **{name: Places(o, o) for name, o in _OFFSETS.items()},
    **{f"{name}-queries": Places(o, _true) for name, o in _OFFSETS.items()},
    **{f"{name}-keys": Places(_true, o) for name, o in _OFFSETS.items()},
    "always-after-queries": Places(lambda p: p.start + p.length, _true),
    "always-after-less-one-queries": Places(lambda p: p.start + p.length - 1, _true),
    "again": Places(_true, _true, again=True),
    "again-restart": Places(lambda p: 0, _true, again=True),
}


def turn(f: AttentionInputs, piece: Piece, entries: Entries, rule: Places) -> None:
    """Rotate the queries of a chunk, and the keys that it finds, by the positions of the rule."""
    assert f.rotation is not None
    keys = []
    for token in entries.tokens:
        number = _number(piece.chunks, token)
        own = Piece(piece.chunks, number)
        times = piece.number - number + 1 if rule.again else 1
        keys.append(times * (rule.keys(own) + token - own.start))
    f.query = rotate(f.query, rule.queries(piece) + np.arange(piece.length), f.rotation)
    f.key = rotate(f.key, np.array(keys), f.rotation)
