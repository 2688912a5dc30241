"""Inputs to try: random, with every dimension different, in canonical order."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.contract import Subject
from interview_coach.grading.family.inputs import AttentionInputs, Weights
from interview_coach.grading.layouts import canonical_mask
from interview_coach.grading.roles import Sizes


@dataclass(frozen=True, slots=True)
class Dims:
    """Batch, heads, query and key length, key and value dimension of a case."""

    b: int = 3
    h: int = 2
    sq: int = 5
    sk: int = 7
    d: int = 11
    dv: int = 13


GENERAL = Dims()
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
            else random_weights(rng, sizes, binding.has("w_o"), binding.has("b_q"), binding.has("w_qkv"))
        )
        assert weights is not None
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
        case = AttentionInputs(
            heads=heads,
            q=_normal(rng, (b, heads, dims.sq, dims.d), spread),
            k=_normal(rng, (b, heads, sk, dims.d), spread),
            v=_normal(rng, (b, heads, sk, dims.dv)) + 0.5,
        )
    case.causal, case.conventions, case.scale = binding.causal, dict(binding.conventions), binding.scale
    if masked and binding.mask is not None:
        case.keep = canonical_mask(rng.random, binding.mask, b, heads, dims.sq, sk)
        if case.causal:
            # With the first key visible, no query is left without one.
            case.keep[..., 0] = True
        case.padding = binding.mask.padding
    if not binding.projected:
        case.v = as_float32(case.v)  # type: ignore[arg-type]
    return case


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

    return Weights(
        matrix(c, d), matrix(c, d), matrix(c, dv), matrix(dv, c) if output else None,
        vector(d), vector(d), vector(dv), vector(c) if output else None,
    )  # fmt: skip


def _normal(rng: np.random.Generator, shape: tuple[int, ...], spread: float = 1.0) -> Array:
    return as_float32(rng.normal(size=shape) * spread)
