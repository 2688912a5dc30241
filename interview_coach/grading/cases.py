"""Inputs to try: random, with every dimension different, in canonical order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from interview_coach.arrays import Array
from interview_coach.exercises import Exercise
from interview_coach.grading.contract import Subject
from interview_coach.grading.family.inputs import AttentionInputs, Weights
from interview_coach.grading.layouts import canonical_mask
from interview_coach.grading.problems import CannotGrade
from interview_coach.grading.roles import Sizes
from interview_coach.records import record


@record
class Dims:
    """Batch, heads, query and key length, key and value dimension of a case.

    ``kv`` is the number of key/value heads where it is not that of the query heads, ``window`` what a sliding window is
    told.
    """

    b: int = 3
    h: int = 2
    sq: int = 5
    sk: int = 7
    d: int = 11
    dv: int = 13
    kv: int | None = None
    window: int = 3


GENERAL = Dims()
ONE_KEY_HEAD = "one key/value head"
# From the most general shapes to the least: code that runs on the first needs no other.
NARROWER: tuple[tuple[str, Dims], ...] = (
    ("", GENERAL),
    ("value dim equal to key dim", replace(GENERAL, dv=11)),
    ("equal lengths", replace(GENERAL, sk=5)),
    ("equal lengths and equal dims", replace(GENERAL, sk=5, dv=11)),
    ("equal lengths and an even dim", replace(GENERAL, sk=5, d=6, dv=6)),
    ("a batch of one", replace(GENERAL, b=1)),
    ("a batch of one and equal lengths", replace(GENERAL, b=1, sk=5, dv=11)),
)
LONGEST_TILE = 128
"""Rows of the largest tile that kernels use."""
WHOLE_TILES = Dims(1, 2, LONGEST_TILE, LONGEST_TILE, 64, 64)
"""Sizes that every tile divides."""
_POWER = replace(GENERAL, d=16, dv=16)
FOR_KERNELS: tuple[tuple[str, Dims], ...] = (
    ("head dims of a power of two", _POWER),
    ("equal lengths and head dims of a power of two", replace(_POWER, sk=5)),
    ("lengths of 128 and head dims of 64", replace(WHOLE_TILES, b=2)),
)
"""What kernels may ask for beyond that."""

# New tokens that go into a cache: as many queries as keys.
KEPT = replace(GENERAL, sk=5)
NARROWER_KEPT: tuple[tuple[str, Dims], ...] = (
    ("", KEPT),
    ("value dim equal to key dim", replace(KEPT, dv=11)),
    ("an even dim", replace(KEPT, d=6, dv=6)),
    ("a batch of one", replace(KEPT, b=1)),
    ("a batch of one and an even dim", replace(KEPT, b=1, d=6, dv=6)),
)


Shapes = tuple[tuple[str, Dims], ...]


def shapes_to_try(exercise: Exercise, projected: bool = False, even: bool = False) -> list[Shapes]:
    """Shapes of calls, from the most general to the least.

    Those of a later tuple are for code that runs on none of the earlier ones.

    Args:
        exercise: Grouped heads need a number of heads with a divisor, linear biases a power of two, windows more keys
            than twice their size.
        projected: For a module, whose heads are not those of the inputs.
        even: Only even head dims, for channels that are rotated in pairs.
    """
    found: list[tuple[str, Dims]] = []
    for text, shape in NARROWER_KEPT if exercise.family == "cached" else NARROWER:
        dims = replace(shape, d=shape.d + shape.d % 2, dv=shape.dv + shape.dv % 2) if even else shape
        if exercise.windowed:
            dims = replace(dims, sq=8, sk=8 if dims.sk == dims.sq else 12)  # not a window apart
        found.append((text, replace(dims, h=4) if exercise.alibi else dims))
    if projected and exercise.family == "cached":
        # With projections of its own, the dims of q, k and v are not the caller's.
        found = [found[0], found[3]]
    if projected or not exercise.grouped:
        return [tuple(found)]
    # Three query heads a key/value head: a length that is no multiple of 3 hides what is repeated along the sequence.
    grouped = [(text, replace(dims, h=6, kv=2, sk=9 if dims.sk == GENERAL.sk else dims.sk)) for text, dims in found]
    alone = [(f"{text} and {ONE_KEY_HEAD}" if text else ONE_KEY_HEAD, replace(dims, kv=1)) for text, dims in grouped]
    return [tuple(grouped), (*alone, ("as many key/value heads as query heads", replace(grouped[0][1], kv=None)))]


def as_float32(array: Array) -> Array:
    """Values that float32 holds exactly, in float64."""
    return np.asarray(array, np.float32).astype(np.float64)


def make_case(
    subject: Subject,
    rng: np.random.Generator,
    dims: Dims = GENERAL,
    *,
    masked: bool = False,
    sizes: Sizes | None = None,
    dtype: str = "float32",
    spread: float = 1.3,
) -> AttentionInputs:
    """A random case for a subject's binding.

    Args:
        subject: Whose layout, sizes, weights and mask form are used.
        rng: Source of the values.
        dims: Lengths and dims; where the layout has one head or no batch, these are 1.
        masked: With a random mask of the binding's form.
        sizes: Sizes of a module, the binding's if not given.
        dtype: Precision of the weights of a module.
        spread: Standard deviation of queries and keys.
    """
    binding = subject.binding
    sizes = binding.sizes if sizes is None else sizes
    b = 1 if binding.layout.unbatched else dims.b
    if binding.projected:
        self_attention = not (binding.has("context") or binding.has("k"))
        sk = dims.sq if self_attention else dims.sk
        weights = (
            subject.module_weights(sizes, dtype)
            if binding.needs_instance
            else random_weights(
                rng, sizes, binding.has("w_o"), binding.has("b_q") or binding.has("b_qkv"), binding.has("w_qkv")
            )
        )
        if weights is None:
            failure = subject.instance(sizes, dtype)[2]
            raise CannotGrade(*(("contract", "no weights") if failure is None else (failure.kind, failure.message)))
        case = AttentionInputs(
            heads=sizes.head_count, x=_normal(rng, (b, dims.sq, weights.q.shape[0])), weights=weights
        )
        if not self_attention:
            case.context = _normal(rng, (b, sk, weights.k.shape[0]))
            if binding.has("v"):
                case.value_context = _normal(rng, (b, sk, weights.v.shape[0]))
        heads = sizes.head_count
    else:
        heads = 1 if binding.layout.one_head else dims.h
        sk = dims.sk
        kv = 1 if binding.layout.keys is not None else min(dims.kv or heads, heads)
        case = AttentionInputs(
            heads=heads,
            q=_normal(rng, (b, heads, dims.sq, dims.d), spread),
            k=_normal(rng, (b, kv, sk, dims.d), spread),
            v=_normal(rng, (b, kv, sk, dims.dv)) + 0.5,
        )
    case.causal, case.top_left = binding.causal, binding.top_left
    case.conventions, case.scale = dict(binding.conventions), binding.scale
    if not 1 < _key_heads(case) < heads:
        case.conventions.pop("group", None)
    case.window = (binding.window or dims.window) if binding.windowed else None
    case.alibi, case.rotation, case.linear = binding.alibi, binding.rotation, binding.linear
    if masked and binding.mask is not None:
        case.keep = canonical_mask(rng.random, binding.mask, b, heads, dims.sq, sk)
        if case.window is not None:
            first = case.first_position(*case.keep.shape[-2:])
            _keep_own(case.keep, case.window, first, binding.mask.meaning == "lengths")
        elif case.causal:
            # With the first key visible, no query is left without one.
            case.keep[..., 0] = True
        case.padding = binding.mask.padding
    if not binding.projected:
        case.v = as_float32(case.v)  # type: ignore[arg-type]
    return case


def _keep_own(keep: Array, window: int, first: int, lengths: bool) -> None:
    """Let every query see a key of its window: its own, or, for a mask of keys alone, one in ``window``."""
    queries, keys = keep.shape[-2:]
    if lengths:
        keep[..., : keys - window + 1] = True
    elif queries > 1:
        keep[..., np.arange(queries), np.arange(queries) + first] = True
    else:
        keep[..., ::window] = True


def _key_heads(case: AttentionInputs) -> int:
    if case.k is not None:
        return int(case.k.shape[1])
    return case.heads if case.weights is None else case.weights.kv_heads or case.heads


def random_weights(rng: np.random.Generator, sizes: Sizes, output: bool, bias: bool, fused: bool = False) -> Weights:
    """Projections for a functional form; one head has its own width, unless they come as one matrix."""
    if sizes.head_count == 1 and fused:
        c, d, dv = 12, 12, 12
    elif sizes.head_count == 1:
        c, d, dv = 12, 10, 10
    else:
        c, d, dv = sizes.d_model, sizes.d_model, sizes.d_model

    def matrix(n: int, m: int) -> Array:
        return _normal(rng, (n, m), 1.5 * n**-0.5)

    def vector(n: int) -> Array | None:
        return _normal(rng, (n,), 0.5) if bias else None

    kv = sizes.kv_heads or sizes.head_count
    dk, dkv = d // sizes.head_count * kv, dv // sizes.head_count * kv
    return Weights(
        matrix(c, d), matrix(c, dk), matrix(c, dkv), matrix(dv, c) if output else None,
        vector(d), vector(dk), vector(dkv), vector(c) if output else None, sizes.kv_heads,
    )  # fmt: skip


def _normal(rng: np.random.Generator, shape: tuple[int, ...], spread: float = 1.0) -> Array:
    return as_float32(rng.standard_normal(shape) * spread)
