"""``apply_rope(x, positions, base=10000.0)``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from interview_coach.grading.functions.sending import Layout, floating
from interview_coach.grading.functions.task import (
    Alternative,
    Array,
    Case,
    Choice,
    Narrow,
    Output,
    Outputs,
    Rng,
    Role,
    Shape,
    Task,
    Wrong,
    as_float32,
    normal,
)
from interview_coach.grading.protocol import Tensor
from interview_coach.oracles.rope import apply_rope


def _draw(case: Case, rng: Rng) -> None:
    dims = case["dims"]
    case["x"] = normal(case, rng, "bhsd")
    case["x2"] = normal(case, rng, "bhsd")
    case.setdefault("base", 500.0)
    case.setdefault("pairing", "half")
    kind = case.get("kind", "arange" if "positions" not in case["taken"] else "jumps")
    length = dims["s"]
    if kind == "arange":
        positions = np.arange(length)
    elif kind == "rows":
        positions = rng.integers(0, 30, size=(dims["b"], length))
    else:
        positions = np.cumsum(rng.integers(1, 5, size=length)) + 2
    case["positions"] = positions
    if "offset" in case["taken"]:
        case["positions"] = np.arange(length) + 3
    case["offset"] = 3
    case["length"] = length
    case["dim"] = dims["d"]
    case["axis"] = None
    rows = case["positions"]
    if {"positions", "offset"} & set(case["taken"]):
        rows = np.arange(max(32, int(rows.max()) + 1))  # the code looks its own rows up
    case["angles"] = rows[..., None] * case["base"] ** (-2.0 * np.arange(dims["d"] // 2) / dims["d"])


def _spread(array: Array, spread: str, layout: Layout, case: Case, channels: int = 1) -> Array:
    """A table of shape (S, …) with an axis for the batch, or with an axis of size 1 for all that ``x`` has besides."""
    axes = layout.axes("bhsd")[:-1]
    if spread == "rows" and "b" in axes:
        return np.broadcast_to(array, (case["dims"]["b"], *array.shape)) if array.ndim == 1 + channels else array
    if spread == "axes":
        return array.reshape(*(array.shape[0] if a == "s" else 1 for a in axes), *array.shape[1:])
    return array


def _own(case: Case, role: str, spread: str, layout: Layout, dtype: str) -> Tensor | None:
    """The file's own table, where it is to be used."""
    if role not in case.get("own", ()):
        return None
    array = _spread(case["own"][role], spread, layout, case, case["own"][role].ndim - 1)
    return Tensor(array, "complex64") if np.iscomplexobj(array) else floating(array, dtype)


def _table(role: str, function: Callable[[Array], Array]) -> Callable[[Case, str, Layout, str], Tensor]:
    """A table of cosines or sines: one entry a channel (the halves alike, or neighbours), or one a pair."""

    def send(case: Case, form: str, layout: Layout, dtype: str) -> Tensor:
        kind, _, spread = form.partition(", ")
        own = _own(case, role, spread, layout, dtype)
        if own is not None:
            return own
        angles = case["angles"]
        if kind != "half":
            angles = np.concatenate([angles, angles], -1) if kind == "plain" else np.repeat(angles, 2, -1)
        return floating(_spread(as_float32(function(angles)), spread, layout, case), dtype)

    return send


def _both(case: Case, form: str, layout: Layout, dtype: str) -> Tensor:
    """A table of the rotations themselves: complex numbers, angles, or a cosine beside each sine."""
    kind, _, spread = form.partition(", ")
    own = _own(case, "table", spread, layout, dtype)
    if own is not None:
        return own
    angles = case["angles"]
    if kind == "complex":
        return Tensor(_spread(np.exp(1j * angles), spread, layout, case).astype(np.complex64), "complex64")
    if kind == "cos and sin":
        pairs = np.stack([np.cos(angles), np.sin(angles)], -1)
        return floating(_spread(as_float32(pairs), spread, layout, case, 2), dtype)
    if kind != "angles":
        angles = np.concatenate([angles, angles], -1) if kind == "angles twice" else np.repeat(angles, 2, -1)
    return floating(_spread(as_float32(angles), spread, layout, case), "float32")


def _forms(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{kind}{spread}" for spread in ("", ", axes", ", rows") for kind in kinds)


_CONSTANTS = {
    f"constant-{b:g}": float(b)
    for b in (10000, 1000, 100, 10, 2, 2048, 4096, 5000, 20000, 50000, 100000, 500000, 1000000, 10000000)
}
"""Bases that a file may have written in, whatever it is given."""


def _rotate(case: Case, name: str) -> Array:
    return apply_rope(case[name], case["positions"], case["base"], interleaved=case["pairing"] == "interleaved")


def _truth(case: Case) -> Outputs:
    return _rotate(case, "x"), _rotate(case, "x2")


def _compute(case: Case, choice: Choice) -> Outputs:
    return _variant(case["x"], case, choice), _variant(case["x2"], case, choice)


def _variant(x: Array, case: Case, choice: Choice) -> Array:
    b, h, s, d = x.shape
    base = _CONSTANTS.get(choice.get("base", ""), case["base"])
    i = np.arange(d // 2)
    exponent = {
        "twice": -4 * i / d,
        "halved": -i / d,
        "positive": 2 * i / d,
        "no-dim": -2.0 * i,
        "plus-one": -2 * (i + 1) / d,
        "over-half-minus": -2 * i / max(d - 2, 1),
        "transformer": -2 * (2 * i) / d,
        "reversed": -2 * (d // 2 - 1 - i) / d,
    }.get(choice.get("base", ""), -2 * i / d)
    frequencies = base**exponent
    if choice.get("base") == "none":
        frequencies = np.full(d // 2, 1.0)
    positions = np.asarray(case["positions"], np.float64)
    moved = choice.get("positions", "")
    if moved == "restart":
        positions = np.arange(s, dtype=float)
    elif moved == "one-based":
        positions = positions + 1
    elif moved == "restart-one":
        positions = np.arange(1, s + 1, dtype=float)
    elif moved == "first-row" and positions.ndim == 2:
        positions = positions[0]
    elif moved == "from-first":
        positions = positions - positions[..., :1]
    elif moved == "reversed":
        positions = positions[..., ::-1]
    if choice.get("axis") == "heads":
        angles = (np.arange(h, dtype=float)[:, None, None] * frequencies)[None]
    elif choice.get("axis") == "batch":
        angles = np.arange(b, dtype=float)[:, None, None, None] * frequencies
    else:
        angles = positions[..., None] * frequencies
        if angles.ndim == 3:
            angles = angles[:, None]
    pairing = case["pairing"]
    mixed = choice.get("pairing", "")
    # The angle of each channel, and the partner that it is rotated with.
    spread = (
        (np.repeat(angles, 2, -1) if pairing == "interleaved" else np.concatenate([angles, angles], -1))
        if mixed != "other-angles"
        else (np.concatenate([angles, angles], -1) if pairing == "interleaved" else np.repeat(angles, 2, -1))
    )
    half = np.concatenate([-x[..., d // 2 :], x[..., : d // 2]], -1)
    beside = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    turned = beside if pairing == "interleaved" else half
    direction = choice.get("direction", "")
    if direction == "opposite":
        turned = -turned
    elif direction == "no-minus":
        turned = np.abs(np.sign(turned)) * (
            np.concatenate([x[..., d // 2 :], x[..., : d // 2]], -1)
            if pairing == "half"
            else np.stack([x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
        )
    elif direction == "both-minus":
        turned = -(
            np.concatenate([x[..., d // 2 :], x[..., : d // 2]], -1)
            if pairing == "half"
            else np.stack([x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
        )
    elif direction == "swapped-functions":
        return np.asarray(x * np.sin(spread) + turned * np.cos(spread))
    if mixed == "halves-swapped":
        turned = -turned
        x, turned = np.roll(x, d // 2, -1), np.roll(turned, d // 2, -1)
    elif mixed == "flipped":
        turned = np.concatenate([-x[..., d // 2 :][..., ::-1], x[..., : d // 2][..., ::-1]], -1)
    out = x * np.cos(spread) + turned * np.sin(spread)
    if mixed == "concatenated":
        # Neighbours are rotated, the results are put one half after the other.
        a, c = (x[..., ::2], x[..., 1::2]) if pairing == "half" else (x[..., : d // 2], x[..., d // 2 :])
        cos, sin = np.cos(angles), np.sin(angles)
        left, right = a * cos - c * sin, a * sin + c * cos
        out = np.concatenate([left, right], -1) if pairing == "half" else np.stack([left, right], -1).reshape(x.shape)
    return np.asarray(out)


_HALF = (
    r"x\[\.*,?\s*i\s*\+\s*[dD]\s*/+\s*2\]|half[- ]split|rotate_half|first half|"
    r"split(s)? in(to)? halves|前半|后半|对半"
)
_BESIDE = (
    r"x\[\.*,?\s*2i\s*\+\s*1\]|interleav|neighbou?r|adjacent|consecutive|相邻|交错|奇偶|"
    r"even(/| and )odd|x_?\{?2i"
)
_COS = r"cos(ine)?(s|table|cached?|t)?|freqscos"
_SIN = r"sin(e)?(s|table|cached?|t)?|freqssin"
_TABLE = (
    r"freqs?(cis|complex|pos|embs?)?|(freqs?|pos)?cis|complexfreqs?|freqsfor\w+|"
    r"(rope|rotary)(pos)?(emb|embs|embedding|embeddings|cache|freqs?)?|pos(ition)?emb(edding)?s?|thetas?cis"
)
_KINDS = ("plain", "half", "pairs")
_ROTATIONS = ("complex", "angles", "angles repeated", "angles twice", "cos and sin")
_TABLES = ("cos", "table")
TASK = Task(
    roles=(
        Role("x", r"x|xs|inputs?|t|tensor|q|query|hidden(states?)?|u|vec|xq|features?", "bhsd", grad=True),
        Role("x2", r"k|key|xk", "bhsd", required=False),
        Role(
            "positions",
            r"pos(ition)?s?(ids?|idx|index|indices)?|tpos|p|timesteps?|idx|indices|steps?|"
            r"inputpos|seqpos|m|tokenpositions?",
            "s",
            "int",
            forms=("int", "float", "rows"),
            spare=_TABLES,
        ),
        Role(
            "offset",
            r"(position|pos|start|cache|seq)?(offset|start|startpos|past)(len|length|pos)?|"
            r"startpos",
            kind="plain",
            required=False,
        ),
        Role("base", r"(rope|rotary|freq)?(base|theta)|thetabase|basefreq|b", kind="plain", required=False),
        Role("cos", _COS, required=False, forms=_forms(*_KINDS), sender=_table("cos", np.cos)),
        Role("sin", _SIN, required=False, forms=_forms(*_KINDS), sender=_table("sin", np.sin), tied="cos"),
        Role("table", _TABLE, required=False, forms=_forms(*_ROTATIONS), sender=_both),
        Role("length", r"(seq|max)?len(gth)?|seqlen", kind="plain", required=False),
        Role("axis", r"unsqueeze(dim|axis)|seqdim|interleaved|layout", kind="plain", required=False),
    ),
    outputs=(Output("x", "bhsd", r"(x|q|out|rotated).*"), Output("k", "bhsd", r"k.*", needs="x2")),
    dims={"b": 3, "h": 2, "s": 5, "d": 12},
    draw=_draw,
    truth=_truth,
    compute=_compute,
    wrong=(
        Wrong("positions", "restart", "rope-positions-restart"),
        *(
            Wrong("positions", p, "rope-positions-restart")
            for p in ("one-based", "restart-one", "first-row", "from-first", "reversed")
        ),
        *(Wrong("direction", o, "rope-direction") for o in ("opposite", "no-minus", "both-minus", "swapped-functions")),
        *(
            Wrong("base", o, "rope-base")
            for o in (
                *_CONSTANTS,
                "twice",
                "halved",
                "positive",
                "no-dim",
                "plus-one",
                "over-half-minus",
                "reversed",
                "none",
            )
        ),
        *(Wrong("pairing", o, "rope-pairing") for o in ("other-angles", "concatenated", "halves-swapped", "flipped")),
        *(Wrong("axis", o, "rope-wrong-axis") for o in ("heads", "batch")),
    ),
    layouts=("BHSD", "BSHD", "SBHD", "BSD", "SBD", "HSD", "SHD", "SD"),
    tables=(("cos", "sin"), ("table",)),
    alternatives=(
        Alternative(
            "pairing",
            ("half", "interleaved"),
            notes=("", "pairs are neighbours (x[2i], x[2i + 1])"),
            promises=(_HALF, _BESIDE),
            code="rope-pairing",
        ),
        Alternative(
            "base",
            (10000.0, 500000.0, 1000000.0, 1000.0, 100.0),
            missing="base",
            unless=_TABLES,
            notes=("", "base 500000", "base 1000000", "base 1000", "base 100"),
        ),
        Alternative("kind", ("arange",), missing="positions", notes=("positions 0, 1, 2, …",)),
    ),
    narrower=(Narrow("positions 0, 1, 2, …", {}, set={"kind": "arange"}),),
    shapes=(
        Shape("shape.batch-of-one", "B = 1", {"b": 1}),
        Shape("shape.one-token", "S = 1, not at position 0", {"s": 1}),
        Shape("shape.square", "S = H = B", {"s": 3, "h": 3}),
        Shape("shape.two-channels", "D = 2", {"d": 2}, promised=r"any even|every even|D *(>=|≥) *2|任意偶数"),
        Shape("shape.other-dim", "D = 8", {"d": 8}),
        Shape("formula.arange", "positions 0, 1, 2, …", set={"kind": "arange"}),
        Shape(
            "shape.positions-of-rows",
            "positions (B, S), different in each row",
            set={"kind": "rows"},
            needs="positions",
            keeps="b",
            promised=r"[(（]\s*(b|n|batch\w*)\s*,\s*(s|t|l|n|seq\w*)\s*[)）]",
        ),
        Shape("formula.base", "base 10000", set={"base": 10000.0}, needs="base"),
    ),
    question="rope-idea",
)
