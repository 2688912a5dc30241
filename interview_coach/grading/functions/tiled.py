"""What the exercises on attention by tiles share: block sizes, lengths around them, causal tiles, wrong variants."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.functions.direct import draw_qkv, inputs
from interview_coach.grading.functions.task import Array, Case, Choice, Narrow, Rng, Role, Shape
from interview_coach.grading.prose import ZERO_ROWS

LONG = 64
"""From so many keys on, tiles are of 64."""
BLOCKS = (
    Role(
        "block_q",
        r"(block|tile|chunk|b)(size)?(q|m|r|rows?|quer(y|ies))(size|len)?|(q|query|row)(block|tile|chunk)(size|len)?|br|bq|bm|tr",
        kind="plain",
        required=False,
    ),
    Role(
        "block_k",
        r"(block|tile|chunk|b)(size)?(k|kv|n|c|cols?|keys?)(size|len)?|(k|kv|key|col)(block|tile|chunk)(size|len)?|bc|bk|bn|bkv|tc",
        kind="plain",
        required=False,
    ),
    Role("block", r"(block|tile|chunk)(size|len|width|s|sz)?|bs|b|blk|size|step|blocksz", kind="plain", required=False),
)
SIZES = ("given", "16", "32", "64", "128", "256")
"""Tiles of which a fault may be: those that were asked for, or constants of the code."""
_FLOW = ("project", "split", "group", "scores", "scale", "causal", "mask", "fill")


def draw(case: Case, rng: Rng) -> None:
    """A case with block sizes that divide neither length."""
    draw_qkv(case, rng)
    long = case["dims"]["k"] >= LONG
    case.setdefault("block", 64 if long else 4)
    case.setdefault("block_q", 32 if long else 4)
    case.setdefault("block_k", case["block"] if long else 2)
    if case["causal"] and not case.get("top_left") and case["dims"]["q"] > case["dims"]["k"]:
        empty = np.arange(case["dims"]["q"]) < case["dims"]["q"] - case["dims"]["k"]
        case.setdefault("unasked", {"out": empty[:, None], "lse": empty})


def tile(case: Case, size: str) -> tuple[int, int]:
    """Keys and queries of a tile; raises ``ValueError`` for a constant where the size was given."""
    taken = set(case.get("taken", ())) & {"block", "block_q", "block_k"}
    if size != "given":
        if taken:
            raise ValueError("the block size is given")
        return int(size), int(size)
    if not taken:
        raise ValueError("no block size is given")
    keys = case["block_k"] if "block_k" in taken else case["block"]
    return int(keys), int(case["block_q"] if "block_q" in taken else case["block"])


def flow(case: Case, choice: Choice) -> AttentionInputs:
    """The family of attentions up to its logits; a variant that has no meaning here changes nothing."""
    f = inputs(case)
    with np.errstate(all="ignore"):
        for stage in _FLOW:
            variants = ATTENTION.stages[stage]
            usual = next(iter(variants))
            name = choice.get(stage, usual)
            try:
                variants[name if name in variants else usual].apply(f)
            except NotApplicable:
                variants[usual].apply(f)
    return f


# ── what files say ─────────────────────────────────────────────────────────────────────────────────────────────────

EMPTY_ROWS = (
    r"(no key|any key|nothing to attend|before the first|empty row|fully[- ]masked)[^.。\n]{0,60}(0\b|zero)|"
    r"(0\b|zeros?)[^.。\n]{0,40}(no key|nothing to attend|without (any )?key|fully[- ]masked|empty)|"
    r"(没有|无)[^.。\n]{0,12}(key|键|可看)[^.。\n]{0,30}(0|零)|" + ZERO_ROWS
)
"""What a file says that promises 0 for a query that sees no key."""
_DIVISIBLE = r"divisible|multiples? of|divides|evenly|整除|整数倍|倍数"


def says_divisible(prose: str, reading: object) -> bool:
    """Whether a file says that it asks for lengths that the tiles divide."""
    return re.search(_DIVISIBLE, prose, re.IGNORECASE) is not None


# ── causal masks by tiles ──────────────────────────────────────────────────────────────────────────────────────────

Seen = Callable[[Array, Array, int, int, int], Array]
CAUSAL: Mapping[str, tuple[Seen, str]] = {
    "whole-tiles": (lambda i, j, d, k, q: j // k <= (i + d) // k, "causal-leaks-next"),
    "whole-query-tiles": (lambda i, j, d, k, q: j < (i // q + 1) * q + d, "causal-leaks-next"),
    "earlier-tiles": (lambda i, j, d, k, q: j // k < (i + d) // k, "causal-hides-self"),
    "inside-tiles": (lambda i, j, d, k, q: j % k <= i % q, "causal-leaks-next causal-missing"),
    "inside-diagonal": (
        lambda i, j, d, k, q: (j // k < i // q) | ((j // k == i // q) & (j % k <= i % q)),
        "causal-top-left causal-leaks-next",
    ),
    "skips-by-top-left": (
        lambda i, j, d, k, q: (j <= i + d) & (j // k * k < (i // q + 1) * q),
        "causal-top-left",
    ),
    "skips-by-query-count": (
        lambda i, j, d, k, q: (j <= i + d) & (j // k * k < np.minimum((i // q + 1) * q, i.shape[0])),
        "causal-top-left",
    ),
    "skips-late-by-top-left": (
        lambda i, j, d, k, q: (j <= i + d) & (j // k * k <= i // q * q + k),
        "causal-top-left",
    ),
    "first-tile-unmasked": (lambda i, j, d, k, q: (j <= i + d) | (j < k), "causal-leaks-next causal-missing"),
    "diagonal-tile-unmasked": (
        lambda i, j, d, k, q: (j <= i + d) | (j // k == i // q),
        "causal-leaks-next causal-missing",
    ),
    "rows-restart": (lambda i, j, d, k, q: j <= i % q + d, "causal-hides-self wrong-program-id"),
    "columns-restart": (lambda i, j, d, k, q: j % k <= i + d, "causal-leaks-next causal-missing wrong-program-id"),
    "skips-diagonal": (lambda i, j, d, k, q: (j <= i + d) & (j // k < (i // q * q + d) // k), "causal-hides-self"),
    "masks-tile-diagonal-only": (
        lambda i, j, d, k, q: (j // k != i // q) | (j % k <= i % q),
        "causal-missing causal-leaks-next",
    ),
}
"""Which key a query sees by tiles of k keys and q queries, d = Sk - Sq; and the codes."""


def hidden_by_tiles(case: Case, name: str) -> Array | None:
    """``True`` where a causal variant by tiles lets a query see a key; ``None`` where there is no causal mask."""
    option, _, size = name.partition("@")
    if not case["causal"]:
        return None
    keys, rows = tile(case, size)
    sq, sk = case["q"].shape[-2], case["k"].shape[-2]
    first = 0 if case.get("top_left") else sk - sq
    return CAUSAL[option][0](np.arange(sq)[:, None], np.arange(sk)[None], first, keys, rows)


# ── lengths ────────────────────────────────────────────────────────────────────────────────────────────────────────

_EDGES = (("one", 1), ("tile-less-one", 15), ("tile", 16), ("tile-and-one", 17), ("two-tiles-and-three", 35))
_PLACES = (63, 65, 129)
_CONSTANTS = (31, 33, 127, 259)


def _both(length: int, shorter: int = 0) -> dict[str, int]:
    return {"b": 1, "q": max(1, length - shorter), "k": length}


def _tiles(size: int) -> dict[str, int]:
    return {"block": size, "block_q": size, "block_k": size}


def _edge(name: str, length: int, shorter: int = 0) -> Shape:
    words = f"Sq = Sk = {length}" if not shorter else f"Sq = {max(1, length - shorter)}, Sk = {length}"
    return Shape(
        f"shape.{name}" + ("-more-keys" if shorter else ""),
        f"{words}, tiles of 16",
        _both(length, shorter),
        _tiles(16),
        needs="block*",
    )


def _causal(name: str, detail: str, dims: dict[str, int], size: int = 0) -> Shape:
    values = {"causal": True, **(_tiles(size) if size else {})}
    return Shape(f"formula.causal{name}", f"causal=True, {detail}", dims, values, needs="causal")


NARROWER: tuple[Narrow, ...] = (
    Narrow("value dim equal to key dim", {"e": 11}),
    Narrow("equal lengths", {"k": 5}),
    Narrow("equal lengths and equal dims", {"k": 5, "e": 11}),
    Narrow("lengths that the tiles divide", {"q": 8, "k": 12}, says_divisible),
    Narrow("lengths that the tiles divide, and equal dims", {"q": 8, "k": 8, "e": 11}),
    Narrow("lengths that are multiples of 128", {"b": 1, "q": 128, "k": 256}, says_divisible),
    Narrow("equal lengths that are multiples of 128, and equal dims", {"b": 1, "q": 256, "k": 256, "e": 11}),
    Narrow("a batch of one", {"b": 1}),
)
"""Sizes to ask for where code does not take those of the task."""
LENGTHS: tuple[Shape, ...] = (
    Shape("shape.batch-of-one", "B = 1", {"b": 1}),
    Shape("shape.square", "as many queries as keys, equal dims", {"q": 7, "e": 11}),
    Shape("shape.one-query", "Sq = 1", {"q": 1}),
    Shape("shape.one-key", "Sk = 1, causal=False", {"k": 1}, {"causal": False}),
    Shape("shape.other-head-size", "head size 6", {"d": 6, "e": 4}),
    *(_edge(name, n) for name, n in _EDGES),
    *(_edge(name, n, 5) for name, n in _EDGES[1:]),
    Shape("shape.tiles-of-one", "tiles of 1", set=_tiles(1), needs="block*"),
    Shape("shape.wide-tile", "a tile that is larger than the sequence", set=_tiles(64), needs="block*"),
    *(Shape(f"shape.length-{n}", f"Sq = Sk = {n}", _both(n)) for n in _PLACES),
    *(Shape(f"shape.length-{n}", f"Sq = Sk = {n}", _both(n), lacks="block") for n in _CONSTANTS),
    Shape("shape.longer-keys", "Sq = 70, Sk = 133", {"b": 1, "q": 70, "k": 133}),
)
"""Lengths around tiles that are given, and around those that code usually has as constants."""
CAUSAL_LENGTHS: tuple[Shape, ...] = (
    _causal("", "Sq = 5, Sk = 7", {}),
    _causal("-square", "S = 7", {"q": 7}),
    _causal("-tiles", "S = 35, tiles of 16", _both(35), 16),
    _causal("-more-keys", "Sq = 19, Sk = 37, tiles of 8", _both(37, 18), 8),
    _causal("-long", "S = 200", _both(200)),
    _causal("-long-keys", "Sq = 130, Sk = 200", _both(200, 70)),
    _causal("-more-queries", "Sq = 9, Sk = 5: the queries that see a key", {"q": 9, "k": 5}),
)
