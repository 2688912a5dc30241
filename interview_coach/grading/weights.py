"""Reading a module's own projections: which parameter is query, key, value or output, and how heads lie in it.

The numbers decide between readings; the names order them. A reading that agrees with the names comes first.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.family.inputs import Weights
from interview_coach.grading.norms import Norms, arrangements, is_norm
from interview_coach.grading.parameters import is_table, random_features
from interview_coach.grading.protocol import ModuleState
from interview_coach.grading.roles import Sizes
from interview_coach.records import record

Arrays = Mapping[str, Array]

_PREFIX = (
    r"(?:to|w|fc|lin|linear|proj|project|weight|weights|layer|dense|map|net|mat|mlp|attn|self|head|a|c|in|cross|x)*"
)
_SUFFIX = r"(?:s|w|proj|projection|lin|linear|fc|map|net|layer|heads?|dense|transform|weights?|matrix|kernel|mat|mlp|conv|a|c|in|x)*"
_KINDS: tuple[tuple[str, str], ...] = (
        ("qkv", r".*(qkv|kqv|qvk|vqk|querykeyvalue).*|in(put)?proj(ection)?|c?attn|attnin|projin|packed.*|fused.*|inproj.*"),
        ("kv", r".*(kv|keyvalue).*"),
        ("qk", r".*qk.*"),
        ("o", r".*(out|unify|merge|final|combine|concat|resproj|back).*|" + f"{_PREFIX}o{_SUFFIX}" + r"|proj(ection)?|cproj|dense|fc|fco|linear|mix|last"),
        ("q", f".*quer.*|{_PREFIX}q{_SUFFIX}"),
        ("k", f".*key.*|{_PREFIX}k{_SUFFIX}"),
        ("v", f".*val.*|{_PREFIX}v{_SUFFIX}"),
)  # fmt: skip


@record
class Entry:
    """One parameter: its role by name, and the number in its path, for lists of heads or layers."""

    name: str
    kind: str | None
    index: int | None
    is_bias: bool
    is_linear: bool
    shape: tuple[int, ...]


@record
class Reading:
    """One way to read the parameters. ``plain`` readings agree with the names and the usual head order."""

    build: Callable[[Arrays], Weights]
    text: str
    plain: bool
    contradicts_names: bool = False
    used: frozenset[str] = field(default_factory=frozenset)
    key: tuple[object, ...] = ()
    """What tells this reading from the others of the same module, whatever its sizes."""

    def weights(self, arrays: Arrays) -> Weights:
        """The projections found in ``arrays``."""
        return self.build(arrays)


def classify(name: str, shape: tuple[int, ...], submodules: Mapping[str, str]) -> Entry:
    """Read one parameter's name."""
    owner, _, last = name.rpartition(".")
    is_linear = "Linear" in submodules.get(owner, "") and last in ("weight", "bias")
    lowered = name.lower()
    stem = re.sub(r"[._]?(weights?|bias|kernel)$", "", lowered)
    is_bias = (lowered.endswith("bias") or last.lower() == "bias") or (
        len(shape) == 1 and bool(re.match(r"(b|bias)[_.]?", last.lower()))
    )
    if is_bias and not stem.strip("._"):
        stem = lowered
    if re.fullmatch(r"b_?(q|k|v|o|qkv)", last.lower()):
        stem = last.lower()[1:].strip("_")
        is_bias = True
    parts = [re.sub(r"[_\d]", "", p) if not p.isdigit() else p for p in stem.split(".")]
    digits = [int(d) for d in re.findall(r"\d+", stem)]
    kind = None
    for part in reversed([p for p in parts if p and not p.isdigit()]):
        kind = next((k for k, pattern in _KINDS if re.fullmatch(pattern, part)), None)
        if kind is not None:
            break
    return Entry(name, kind, digits[-1] if digits else None, is_bias, is_linear, shape)


def extra_parameters(state: ModuleState) -> list[str]:
    """Parameters, and random features, that play no role in standard attention."""
    extra = random_features(state)
    output = _unnamed_output([classify(n, t.data.shape, state.submodules) for n, t in state.parameters.items()])
    for name, tensor in state.parameters.items():
        entry = classify(name, tensor.data.shape, state.submodules)
        unnamed = entry.kind is None and name.rpartition(".")[0] != output and not _by_order(state)
        if (unnamed and not is_table(name)) or is_norm(name, state.submodules):
            extra.append(name)
    return extra


def within_part(state: ModuleState) -> bool:
    """Whether all projections of q, k and v belong to one part: then the object is a block around an attention."""
    kinds = {n: classify(n, t.data.shape, state.submodules).kind for n, t in state.parameters.items()}
    owners = {name.partition(".")[0] for name, kind in kinds.items() if kind in ("q", "k", "v", "qkv", "kv", "qk")}
    owner = state.submodules.get(owners.pop(), "") if len(owners) == 1 else ""
    return owner != "" and not re.search(r"Linear|Conv|Sequential|ModuleList|ModuleDict", owner)


_SHAPES: Mapping[tuple[int, ...], tuple[str, ...]] = {
    (1, 1, 1): ("q", "k", "v"),
    (1, 1, 1, 1): ("q", "k", "v", "o"),
    (3,): ("qkv",),
    (3, 1): ("qkv", "o"),
    (1, 2): ("q", "kv"),
    (1, 2, 1): ("q", "kv", "o"),
}
"""How many times as long as the shorter side the longer is, matrix by matrix, and what they are then."""


def _by_order(state: ModuleState) -> dict[str, str]:
    """Kinds of weights whose names say nothing, as in a list of three or four linear layers, by name."""
    entries = [classify(n, t.data.shape, state.submodules) for n, t in state.parameters.items()]
    blank = [e for e in entries if e.kind is None or e.kind == "o"]
    matrices = [e for e in blank if not e.is_bias and len(e.shape) == 2]
    if any(e.kind not in (None, "o") for e in entries):
        return {}
    ratios = tuple(max(e.shape) // min(e.shape) for e in matrices)
    kinds = _SHAPES.get(ratios) or _SHAPES.get((1,) * len(matrices), ())
    return {e.name: kind for e, kind in zip(matrices, kinds, strict=False)}


def _unnamed_output(entries: list[Entry]) -> str | None:
    """The only linear layer whose name says nothing, where an output projection is missing."""
    owners = {e.name.rpartition(".")[0] for e in entries if e.kind is None and e.is_linear}
    blank = {e.name for e in entries if e.kind is None and not e.is_linear}
    return owners.pop() if len(owners) == 1 and not blank and all(e.kind != "o" for e in entries) else None


def readings(state: ModuleState, sizes: Sizes) -> Iterator[Reading]:
    """All readings of a module's parameters, the most plausible first."""
    entries = [classify(n, t.data.shape, state.submodules) for n, t in state.parameters.items()]
    entries = [e for e in entries if not is_norm(e.name, state.submodules) and not is_table(e.name)]
    kinds = _by_order(state)
    if kinds:
        owners = {n.rpartition(".")[0]: k for n, k in kinds.items()}
        entries = [
            Entry(
                e.name, kinds.get(e.name, owners.get(e.name.rpartition(".")[0])), None, e.is_bias, e.is_linear, e.shape
            )
            for e in entries
        ]
    by_kind: dict[str, list[Entry]] = {}
    biases: dict[str, list[Entry]] = {}
    output = _unnamed_output(entries)
    for e in entries:
        kind = "o" if e.kind is None and e.name.rpartition(".")[0] == output else e.kind
        if kind is not None:
            (biases if e.is_bias or len(e.shape) == 1 else by_kind).setdefault(kind, []).append(e)
    for number, norms in enumerate(arrangements(state)):
        found = itertools.chain(_separate(by_kind, biases, sizes), _fused(by_kind, biases, sizes))
        for reading in found:
            if number and not reading.plain:
                continue
            whole = _shared(reading, sizes.heads) if sizes.shared else reading
            yield whole if norms == Norms() else _normalised(whole, norms)


def _normalised(reading: Reading, norms: Norms) -> Reading:
    """The same projections, of inputs or with an output that is normalised."""

    def build(a: Arrays) -> Weights:
        w = reading.build(a)
        return replace(
            w,
            x_norm=norms.x.read(a, w.q.shape[0]) if norms.x else None,
            context_norm=norms.context.read(a, w.k.shape[0]) if norms.context else None,
            out_norm=norms.out.read(a, w.q.shape[0] if w.o is None else w.o.shape[1]) if norms.out else None,
            residual=norms.residual,
            set_block=norms.set_block and w.o is not None,
        )

    layers = [norms.x, norms.context, norms.out]
    names = frozenset(n for norm in layers if norm for n in norm.names)
    key = (*reading.key, *(norm.owner if norm else None for norm in layers), norms.residual, norms.set_block)
    return replace(reading, build=build, text=reading.text + norms.text, used=reading.used | names, key=key)


def _shared(reading: Reading, heads: int) -> Reading:
    """The same projections for each of the heads: of the whole input, or of the slice that is the head's."""

    def build(a: Arrays) -> Weights:
        w = reading.build(a)
        if w.o is not None and w.q.shape[0] == w.q.shape[1] == w.o.shape[0] // heads:
            matrices: dict[str, Any] = {n: np.kron(np.eye(heads), getattr(w, n)) for n in ("q", "k", "v")}
            vectors: dict[str, Any] = {
                f"{n}_bias": np.tile(b, heads) for n in "qkv" if (b := getattr(w, f"{n}_bias")) is not None
            }
            return replace(w, **matrices, **vectors)
        names = ("q", "k", "v", "q_bias", "k_bias", "v_bias")
        wide: dict[str, Any] = {
            n: np.concatenate([array] * heads, axis=-1) for n in names if (array := getattr(w, n)) is not None
        }
        return replace(w, **wide)

    return replace(reading, build=build)


# ── matrices as (in, out) ──────────────────────────────────────────────────────────────────────────────────────────


def _inputs_first(w: Array, axis: int) -> Array:
    return np.moveaxis(w, axis, 0).reshape(w.shape[axis], -1)


def _orientations(entry: Entry, sizes: Sizes, output: bool) -> list[Callable[[Array], Array]]:
    """Ways to see a parameter as ``(in, out)``, ``out`` being ``heads * d_head`` in the order (head, channel)."""
    ndim = len(entry.shape)
    if ndim == 3 and entry.shape[-1] == 1:
        return [lambda w: w[..., 0].T]  # a convolution of width one
    if ndim == 4 and entry.shape[-2:] == (1, 1):
        return [lambda w: w[..., 0, 0].T]
    if ndim == 2:
        turned: list[Callable[[Array], Array]] = [lambda w: w.T]
        as_is: list[Callable[[Array], Array]] = [lambda w: w]
        return turned if entry.is_linear else as_is + turned
    if ndim == 4 and not output:
        # Several of the parts, heads and channels have axes of their own; one is that of the inputs.
        return [partial(_inputs_first, axis=axis) for axis in (3, 2, 0, 1)]
    if ndim == 3 and output:
        return [lambda w: w.reshape(-1, w.shape[-1]), lambda w: w.transpose(0, 2, 1).reshape(-1, w.shape[1])]
    if ndim == 3:
        return [
            lambda w: w.transpose(1, 0, 2).reshape(w.shape[1], -1),
            lambda w: w.transpose(2, 0, 1).reshape(w.shape[2], -1),
            lambda w: w.reshape(w.shape[0], -1),
        ]
    return []


def _stack(entries: list[Entry], turn: Callable[[Array], Array]) -> Callable[[Arrays], Array]:
    ordered = sorted(entries, key=lambda e: e.index or 0)
    return lambda a: np.concatenate([turn(a[e.name]) for e in ordered], axis=-1)


def _stack_bias(entries: list[Entry]) -> Callable[[Arrays], Array | None]:
    ordered = sorted(entries, key=lambda e: e.index or 0)
    return lambda a: np.concatenate([a[e.name].reshape(-1) for e in ordered]) if ordered else None


def _inner(columns: Array, heads: int) -> Array:
    """Columns in the order (channel, head) brought to (head, channel)."""
    return columns.reshape(*columns.shape[:-1], -1, heads).swapaxes(-1, -2).reshape(columns.shape)


def _o_options(
    by_kind: dict[str, list[Entry]], biases: dict[str, list[Entry]], sizes: Sizes
) -> list[tuple[Callable[[Arrays], Array | None], Callable[[Arrays], Array | None], bool]]:
    """Readings of the output projection: weight, bias, whether it is the usual one."""
    none: Callable[[Arrays], Array | None] = lambda a: None  # noqa: E731
    entries = by_kind.get("o", [])
    if not entries:
        return [(none, none, True)]
    owner = entries[0].name.rpartition(".")[0]
    own = [b for b in biases.get("o", []) if owner and b.name.rpartition(".")[0] == owner]
    bias = _stack_bias(own or biases.get("o", []))
    options: list[tuple[Callable[[Arrays], Array | None], Callable[[Arrays], Array | None], bool]] = []
    entry = entries[0]
    for i, turn in enumerate(_orientations(entry, sizes, output=True)):

        def usual(a: Arrays, turn: Callable[[Array], Array] = turn) -> Array:
            return turn(a[entry.name])

        def inner(a: Arrays, turn: Callable[[Array], Array] = turn) -> Array:
            return _inner(turn(a[entry.name]).T, sizes.head_count).T

        options += [(usual, bias, i == 0), (inner, bias, False)]
    return options


def _separate(by_kind: dict[str, list[Entry]], biases: dict[str, list[Entry]], sizes: Sizes) -> Iterator[Reading]:
    if not all(by_kind.get(kind) for kind in "qkv"):
        return
    used = frozenset(e.name for kind in "qkvo" for e in (*by_kind.get(kind, ()), *biases.get(kind, ())))
    kv = sizes.kv_heads or sizes.head_count
    turns = len(_orientations(by_kind["q"][0], sizes, output=False))
    for number, (o, o_bias, o_plain) in enumerate(_o_options(by_kind, biases, sizes)):
        for turn, inner in itertools.product(range(turns), (False, True)):
            for order in itertools.permutations("qkv"):
                pick = dict(zip("qkv", order, strict=True))

                def build(
                    a: Arrays,
                    pick: dict[str, str] = pick,
                    turn: int = turn,
                    inner: bool = inner,
                    o: Any = o,
                    o_bias: Any = o_bias,
                ) -> Weights:
                    found: dict[str, Array | None] = {}
                    for role, kind in pick.items():
                        group = by_kind[kind]
                        w = _stack(group, _orientations(group[0], sizes, output=False)[turn])(a)
                        b = _stack_bias(biases.get(kind, []))(a)
                        heads = sizes.head_count if role == "q" else kv
                        found[role] = _inner(w, heads) if inner else w
                        found[f"{role}_bias"] = _inner(b, heads) if inner and b is not None else b
                    return Weights(**found, o=o(a), o_bias=o_bias(a), kv_heads=sizes.kv_heads)  # type: ignore[arg-type]

                named = order == ("q", "k", "v")
                plain = named and o_plain and not turn and not inner
                yield Reading(
                    build, "separate projections", plain, not named, used, ("separate", number, turn, inner, order)
                )


def _fused(by_kind: dict[str, list[Entry]], biases: dict[str, list[Entry]], sizes: Sizes) -> Iterator[Reading]:
    groups: tuple[tuple[str, ...], ...] = (("qkv",), ("q", "kv"), ("qk", "v"))
    for kinds in groups:
        if all(by_kind.get(kind) for kind in kinds):
            yield from _fused_group(kinds, by_kind, biases, sizes)


def _cut(columns: Array, roles: str, layout: str, heads: dict[str, int], order: tuple[str, ...]) -> dict[str, Array]:
    """Cut fused columns into roles. ``layout`` orders part ``3``, head ``h`` and channel ``d``."""
    parts = len(roles)
    if len({heads[r] for r in roles}) > 1:
        d = columns.shape[-1] // sum(heads[r] for r in roles)
        cuts = np.cumsum([heads[r] * d for r in order])[:-1]
        return dict(zip(order, np.split(columns, cuts, axis=-1), strict=True))
    h = heads[roles[0]]
    size = {"3": parts, "h": h, "d": columns.shape[-1] // (parts * h)}
    cube = columns.reshape(*columns.shape[:-1], *(size[c] for c in layout))
    lead = columns.ndim - 1
    cube = np.moveaxis(cube, [lead + layout.index(c) for c in "3hd"], [lead, lead + 1, lead + 2])
    return {r: np.take(cube, i, axis=lead).reshape(*columns.shape[:-1], -1) for i, r in enumerate(order)}


def _fused_group(
    kinds: tuple[str, ...], by_kind: dict[str, list[Entry]], biases: dict[str, list[Entry]], sizes: Sizes
) -> Iterator[Reading]:
    used = frozenset(e.name for kind in (*kinds, "o") for e in (*by_kind.get(kind, ()), *biases.get(kind, ())))
    fused = next(k for k in kinds if len(k) > 1)
    kv = sizes.kv_heads or sizes.head_count
    heads = {"q": sizes.head_count, "k": kv, "v": kv}
    layouts = ("3hd", "h3d", "hd3", "3dh", "d3h", "dh3") if len({heads[r] for r in fused}) == 1 else ("3hd",)
    turns = len(_orientations(by_kind[fused][0], sizes, output=False))
    rows, columns = (*by_kind[fused][0].shape, 0, 0)[:2]
    upright = int(turns > 1 and columns == sizes.d_model != rows)  # as linear layers hold it
    orders = list(itertools.permutations(_spelt_order(by_kind[fused][0].name, fused)))
    for layout, turn in itertools.product(layouts, range(turns)):
        for number, (o, o_bias, o_plain) in enumerate(_o_options(by_kind, biases, sizes)):
            for order in orders:

                def build(
                    a: Arrays,
                    layout: str = layout,
                    turn: int = turn,
                    order: tuple[str, ...] = order,
                    o: Any = o,
                    o_bias: Any = o_bias,
                ) -> Weights:
                    found: dict[str, Array | None] = {"q_bias": None, "k_bias": None, "v_bias": None}
                    for kind in kinds:
                        group = by_kind[kind]
                        turns = _orientations(group[0], sizes, output=False)
                        w = _stack(group, turns[min(turn, len(turns) - 1)])(a)
                        b = _stack_bias(biases.get(kind, []))(a)
                        if len(kind) == 1:
                            found[kind], found[f"{kind}_bias"] = w, b
                        else:
                            found |= _cut(w, kind, layout, heads, order)
                            if b is not None:
                                found |= {f"{r}_bias": c for r, c in _cut(b, kind, layout, heads, order).items()}
                    return Weights(**found, o=o(a), o_bias=o_bias(a), kv_heads=sizes.kv_heads)  # type: ignore[arg-type]

                plain = order == orders[0] and o_plain and turn == upright
                yield Reading(build, f"fused {fused}", plain, False, used, (fused, layout, turn, number, order))


def _spelt_order(name: str, fused: str) -> str:
    """The order of the parts that the name of a fused projection spells out, as ``kqv`` does; else the usual one."""
    return next((order for order in map("".join, itertools.permutations(fused)) if order in name.lower()), fused)


def has_ties(state: ModuleState) -> bool:
    """Whether two matrices of a module hold the same values, as those of one object in several places do."""
    matrices = [t.data.tobytes() for t in state.parameters.values() if t.data.ndim > 1]
    return len(set(matrices)) < len(matrices)


def weight_argument(w: Weights, role: str) -> Array | None:
    """The weight or bias that an argument of this role takes, such as ``w_q``, ``b_o`` or ``w_qkv``."""
    if role == "w_qkv":
        return np.concatenate([w.q, w.k, w.v], axis=-1)
    if role == "b_qkv":
        biases = [b for b in (w.q_bias, w.k_bias, w.v_bias) if b is not None]
        return np.concatenate(biases) if len(biases) == 3 else None
    return getattr(w, role[2:] + ("_bias" if role[0] == "b" else ""), None)
