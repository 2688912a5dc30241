"""What kernels get wrong besides the formula: addresses, program ids, and tiles that reach over the end.

A kernel is simulated on the flat memory that it sees. Program p works on one head: it reads queries, keys and values at
the addresses that its strides and ids give, and writes its rows. An address outside of a buffer reads NaN, and what no
program writes stays NaN or 0, as in the interpreter. A fault changes one of these; the one that gives the submission's
own output on every input names the bug.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.binding import Binding
from interview_coach.grading.diagnosis import FIT, Seen
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.layouts import DIRECT, Layout
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.reference import truth

BLOCKS = (16, 32, 64, 128)
EMPTY = -7e33
"""Stands for what a row without a key, or one that was never written, holds; NaN stands for anything."""
LEAST_KNOWN = 0.3
"""Share of an output that must not come from reading outside of a buffer, or it tells nothing."""
AXES = "bhsd"
IDS: Mapping[str, Callable[[Array, int, int], tuple[Array, Array]]] = {
    "right": lambda p, b, h: (p // h, p % h),
    "first batch entry": lambda p, b, h: (0 * p, p % h),
    "first head": lambda p, b, h: (p // h, 0 * p),
    "first head of all": lambda p, b, h: (0 * p, 0 * p),
    "exchanged": lambda p, b, h: (p % h, p // h),
    "divided by the batch": lambda p, b, h: (p // b, p % b),
    "exchanged, by the batch": lambda p, b, h: (p % b, p // b),
    "head twice": lambda p, b, h: (p % h, p % h),
    "batch twice": lambda p, b, h: (p // h, p // h),
    "all as heads": lambda p, b, h: (0 * p, p),
    "all as batch entries": lambda p, b, h: (p, 0 * p),
    "backwards": lambda p, b, h: (b - 1 - p // h, h - 1 - p % h),
    "head as batch entry": lambda p, b, h: (p % h, 0 * p),
    "batch entry as head": lambda p, b, h: (0 * p, p // h),
}
"""Batch entry and head from the number of a program, as kernels work them out."""


SWAPS = (
    (("q", "k"), ("k", "q")),
    (("k", "v"), ("v", "k")),
    (("q", "v"), ("v", "q")),
    (("v", "k"),),
    (("k", "v"),),
    (("k", "q"),),
    (("q", "k"),),
)
"""Buffers that are passed in place of others."""


@dataclass(frozen=True)
class Fault:
    """One way to go wrong; each field's default is right.

    Attributes:
        ids: Tensors (letters of ``qkvo``) whose batch entry and head come from an entry of :data:`IDS`.
        strides: Tensor → the tensor whose strides are used for it, ``padded`` for rows of the next power of two,
            ``tile`` for rows as wide as a tile of all tensors, or ``turned`` for a transposed one.
        axes: Axes whose strides are exchanged so.
        buffers: Tensor → the tensor that is passed in its place, with its strides.
        alone: The tensor in its place comes without its strides: those of the right one are used for it.
        equal: It shows only where keys and values have equal dims.
        rows: Tensor and number of rows by which it is read or written too far.
        block: Rows of a tile.
        keys: What happens at the end of the keys: those after the last whole tile are ``dropped``, all but those of
            the ``first`` are, or scores beyond the last key are ``unmasked``.
        beyond: Tensors (``k``, ``v``) that are read beyond their last row; the others give zeros there.
        queries: ``dropped`` rows after the last whole tile.
        width: Channels of q and k beyond D are read, up to the next power of two (``padded``) or to a whole ``tile``.
        maximum: ``block``: a tile's own maximum takes the place of the running one.
        bound: The last key that a tile of queries visits: ``tile`` before its own end, ``diagonal`` before its start;
            after ``causal``, where the causal mask is asked for.
        empty: What rows that were never written hold, and those without a key.
    """

    code: str = ""
    ids: tuple[str, str] = ("", "right")
    strides: tuple[tuple[str, str], ...] = ()
    axes: str = AXES
    buffers: tuple[tuple[str, str], ...] = ()
    alone: bool = False
    equal: bool = False
    rows: tuple[str, int] = ("", 0)
    block: int = 0
    keys: str = ""
    beyond: str = ""
    queries: str = ""
    width: str = ""
    maximum: str = ""
    bound: str = ""
    empty: float = np.nan


@dataclass
class Memory:
    """A case as a kernel sees it: flat buffers, their strides, and sizes."""

    case: AttentionInputs
    layout: Layout
    out_layout: Layout
    flat: dict[str, Array] = field(init=False)
    strides: dict[str, dict[str, int]] = field(init=False)
    shape: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        q, k, v = self.case.q, self.case.k, self.case.v
        assert q is not None and k is not None and v is not None
        self.flat = {
            n: np.ascontiguousarray(self.layout.out_of(x)).reshape(-1) for n, x in zip("qkv", (q, k, v), strict=True)
        }
        self.shape = (*q.shape[:3], v.shape[-1])
        placed = (
            ("q", q, self.layout),
            ("k", k, self.layout),
            ("v", v, self.layout),
            ("o", np.empty(self.shape), self.out_layout),
        )
        self.strides = {name: _strides(x, layout) for name, x, layout in placed}

    def read(self, name: str, start: Array, strides: Mapping[str, int], rows: int, columns: int) -> Array:
        """``(P, rows, columns)`` entries from a buffer; NaN outside of it."""
        where = (
            start[:, None, None]
            + strides["s"] * np.arange(rows)[None, :, None]
            + strides["d"] * np.arange(columns)[None, None, :]
        )
        inside = (where >= 0) & (where < self.flat[name].size)
        return np.where(inside, self.flat[name][np.where(inside, where, 0)], np.nan)


def _strides(array: Array, layout: Layout) -> dict[str, int]:
    held = np.empty(layout.out_of(array).shape)
    seen = layout.back(held)
    return {axis: stride // held.itemsize for axis, stride in zip(AXES, seen.strides, strict=True)}


def simulate(memory: Memory, fault: Fault) -> Array | None:
    """What a kernel with the fault writes; None where the fault has no meaning for these sizes."""
    case = memory.case
    assert case.q is not None and case.k is not None and case.v is not None
    (b, h, sq, d), sk, dv = case.q.shape, case.k.shape[2], case.v.shape[3]
    if fault.equal and d != dv:
        return None
    p = np.arange(b * h)
    strides = _changed(memory, fault)
    source = {name: name for name in "qkvo"} | dict(fault.buffers)
    strides = {name: strides[name if fault.alone else source[name]] for name in "qkvo"}
    starts = {}
    for name in "qkvo":
        batch, head = IDS[fault.ids[1] if name in fault.ids[0] else "right"](p, b, h)
        starts[name] = batch * strides[name]["b"] + head * strides[name]["h"]
        starts[name] += fault.rows[1] * strides[name]["s"] * (name in fault.rows[0])
    columns = {"": d, "padded": _power(d), "tile": _tile(d, dv)}[fault.width]
    keys = sk
    if fault.keys == "dropped":
        keys -= sk % fault.block
    elif fault.keys == "first":
        keys = min(sk, fault.block)
    elif fault.keys == "unmasked" or fault.beyond:
        keys += -sk % fault.block
    if fault.block and fault.keys and keys == sk:
        return None
    q = memory.read(source["q"], starts["q"], strides["q"], sq, columns)
    k = memory.read(source["k"], starts["k"], strides["k"], keys, columns)
    v = memory.read(source["v"], starts["v"], strides["v"], keys, dv)
    if fault.keys == "unmasked":
        for name, array in (("k", k), ("v", v)):
            if name not in fault.beyond:
                array[:, sk:] = 0.0
    scores = q @ k.swapaxes(-1, -2) * (d**-0.5 if case.scale is None else case.scale)
    return _store(memory, strides["o"], starts["o"], _attend(scores, v, fault, case.causal, sk), fault)


def _changed(memory: Memory, fault: Fault) -> dict[str, dict[str, int]]:
    """The strides that the fault leaves each tensor with."""
    found = {name: dict(own) for name, own in memory.strides.items()}
    case = memory.case
    assert case.q is not None and case.v is not None
    width = {"q": case.q.shape[-1], "k": case.q.shape[-1], "v": case.v.shape[-1], "o": case.v.shape[-1]}
    for name, source in fault.strides:
        own = memory.strides[name]
        if source in ("padded", "tile"):
            wide = _power(width[name]) if source == "padded" else _tile(width["q"], width["v"])
            new = {a: own[a] // width[name] * wide for a in "bhs"} | {"d": own["d"]}
        elif source == "turned":
            rows = case.q.shape[2] if name in "qo" else case.k.shape[2]  # type: ignore[union-attr]
            new = {**own, "s": own["d"], "d": own["d"] * rows}
        else:
            new = memory.strides[source]
        found[name].update({a: new[a] for a in fault.axes})
    return found


def _attend(scores: Array, v: Array, fault: Fault, causal: bool, sk: int) -> Array:
    """``(P, Sq, Dv)``; a row without a key holds :data:`EMPTY`."""
    rows, columns = np.arange(scores.shape[-2])[:, None], np.arange(scores.shape[-1])[None, :]
    allowed = np.ones(scores.shape[-2:], bool)
    if causal:
        allowed &= columns <= rows + sk - scores.shape[-2]
    if fault.keys != "unmasked":
        allowed &= columns < sk
    if fault.bound and (causal or not fault.bound.startswith("causal")):
        allowed &= columns < (rows // fault.block + fault.bound.endswith("tile")) * fault.block
    scores = np.where(allowed, scores, -np.inf)
    if fault.maximum:
        return _by_tiles(scores, v, fault)
    peak = np.max(scores, -1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(peak == -np.inf, 0.0, peak))
    total = weights.sum(-1, keepdims=True)
    out: Array = np.where(total == 0, EMPTY, weights @ v / np.where(total == 0, 1.0, total))
    return out


def _by_tiles(scores: Array, v: Array, fault: Fault) -> Array:
    """As :func:`_attend`, where each tile of keys sets the maximum anew."""
    peak = np.full((*scores.shape[:-1], 1), -np.inf)
    total, out = np.zeros_like(peak), np.zeros((*scores.shape[:-1], v.shape[-1]))
    for j in range(0, scores.shape[-1], fault.block):
        s = scores[..., j : j + fault.block]
        peak, before = s.max(-1, keepdims=True), peak
        shift = np.where(peak == -np.inf, 0.0, peak)
        p, rescale = np.exp(s - shift), np.exp(before - shift)
        total, out = total * rescale + p.sum(-1, keepdims=True), out * rescale + p @ v[:, j : j + fault.block]
    return np.where(total == 0, EMPTY, out / np.where(total == 0, 1.0, total))


def _store(memory: Memory, strides: Mapping[str, int], start: Array, rows: Array, fault: Fault) -> Array:
    """The output in canonical order after each program, in turn, has written its rows."""
    size = int(np.prod(memory.shape))
    flat = np.full(size, EMPTY)
    written = rows.shape[1] - (rows.shape[1] % fault.block if fault.queries == "dropped" else 0)
    where = (
        start[:, None, None]
        + strides["s"] * np.arange(written)[None, :, None]
        + strides["d"] * np.arange(rows.shape[2])[None, None, :]
    )
    inside = (where >= 0) & (where < size)
    for p in range(len(start)):
        flat[where[p][inside[p]]] = rows[p, :written][inside[p]]
    held = memory.out_layout.out_of(np.empty(memory.shape))
    return memory.out_layout.back(flat.reshape(held.shape))


def _power(n: int) -> int:
    return 1 << (n - 1).bit_length()


def _tile(d: int, dv: int) -> int:
    """Columns of a tile that holds keys as well as values; a product of tiles has at least 16."""
    return max(16, _power(max(d, dv)))


def faults() -> Iterator[Fault]:
    """All faults, the likelier first."""
    for block, empty in product(BLOCKS, (np.nan, 0.0)):
        at = Fault(block=block, empty=empty)
        yield replace(at, code="tail-dropped", keys="dropped")
        yield replace(at, code="tail-dropped", keys="first")
        yield replace(at, code="tail-dropped", queries="dropped")
        yield replace(at, code="tail-dropped", keys="dropped", queries="dropped")
        for beyond in ("", "k", "v", "kv"):
            yield replace(at, code="tail-not-masked", keys="unmasked", beyond=beyond)
        for beyond in ("k", "v", "kv"):
            yield replace(at, code="tail-not-masked", beyond=beyond)
        yield replace(at, code="max-not-kept", maximum="block")
        for bound in ("causal tile", "causal diagonal", "tile", "diagonal"):
            yield replace(at, code="causal-top-left" if bound.endswith("tile") else "tail-dropped", bound=bound)
    for empty in (np.nan, 0.0):
        at = Fault(empty=empty)
        for width in ("padded", "tile"):
            yield replace(at, code="tail-not-masked", width=width)
        for buffers in SWAPS:
            swapped = replace(at, code="values-keys-swapped", buffers=buffers)
            yield from (swapped, replace(swapped, alone=True), replace(swapped, equal=True))
        for tensors, count in product(("k", "v", "kv", "q", "o"), (1, -1)):
            yield replace(at, code="wrong-stride", rows=(tensors, count))
        for tensors in ("k", "v", "kv", "q", "o", "qo", "qkv", "qkvo"):
            for ids in list(IDS)[1:]:
                yield replace(at, code="wrong-program-id", ids=(tensors, ids))
        for tensors in ("k", "v", "o", "q", "kv", "vo", "qo", "qkvo", "qkv"):
            for source in ("q", "k", "v", "o", "padded", "tile", "turned"):
                if tensors == source:
                    continue
                for axes in ("s", "bh", "b", "h", "bhs", AXES):
                    strides = tuple((t, source) for t in tensors if t != source)
                    yield replace(at, code="wrong-stride", strides=strides, axes=axes)


def explain_kernel(seen: Sequence[Seen], binding: Binding) -> tuple[str, float] | None:
    """The code of the first fault that gives every output, and how near it comes; None if there is none.

    An output that the formula gives as well tells nothing, and neither does a fault that has no meaning for its sizes.
    """
    seen = [s for s in seen if s.case.weights is None and s.case.k.shape[1] == s.case.q.shape[1]]
    out_layout = DIRECT.get(binding.output, binding.layout)
    telling = sorted(
        ((Memory(s.case, binding.layout, out_layout), s.output) for s in seen),
        key=lambda pair: pair[1].size,
    )
    wrong = [pair for pair in telling if relative_error(pair[1], truth(pair[0].case)) > FIT]
    right = [pair for pair in telling if all(pair is not w for w in wrong)]
    if not any(np.nan_to_num(output).any() for _, output in wrong):
        return None  # zeros and NaN alone fit too much
    if all(memory.case.causal for memory, _ in wrong) and all(map(_nan_where_wrong, *zip(*wrong, strict=True))):
        return "inf-minus-inf", 0.0
    with np.errstate(all="ignore"):
        for fault in faults():
            distance = _distance(fault, [*wrong[:5], *right[:2], *right[2:][-3:]])
            if distance is not None:
                return fault.code, distance
    return None


def _nan_where_wrong(memory: Memory, output: Array) -> bool:
    """Whether NaN is all that is wrong, so that rows that a mask left whole are right."""
    kept = np.isfinite(output)
    return (
        not kept.all() and relative_error(np.where(kept, output, 0.0), np.where(kept, truth(memory.case), 0.0)) <= FIT
    )


def _distance(fault: Fault, pairs: Sequence[tuple[Memory, Array]]) -> float | None:
    worst, told = 0.0, False
    for memory, output in pairs:
        predicted = simulate(memory, fault)
        if predicted is None:
            predicted = simulate(memory, Fault())
            assert predicted is not None
        else:
            right, known = truth(memory.case), ~np.isnan(predicted)
            if known.mean() < LEAST_KNOWN:
                continue
            told = told or bool((known & (np.abs(predicted - right) > FIT * np.abs(right).max())).any())
        worst = max(worst, _error(output, np.where(predicted == EMPTY, fault.empty, predicted), np.isnan(predicted)))
        if worst > FIT:
            return None
    return worst if told else None


def _error(output: Array, predicted: Array, anything: Array) -> float:
    """As the relative error, with NaN equal to NaN; what was read from outside may have become anything."""
    if (np.isnan(output) != np.isnan(predicted))[~anything].any():
        return float("inf")
    both = np.isfinite(predicted) & ~anything
    if not np.isfinite(output[both]).all():
        return float("inf")
    scale = float(np.abs(predicted[both]).max(initial=0.0)) or 1.0
    return float(np.abs(output - predicted)[both].max(initial=0.0)) / scale
