"""Inputs of modules on which logits are large, or those of the kept keys far below those of the hidden ones.

A module projects its inputs itself, so such inputs are searched for: rows whose queries point away from their own keys
in every head. A norm before the projections undoes every factor on the inputs; there its own parameters grow instead.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.cases import as_float32, make_case
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import AttentionInputs
from interview_coach.grading.family.inputs import Weights
from interview_coach.grading.reference import projected
from interview_coach.grading.roles import Sizes

ROWS = 4096
"""Random rows to choose from: one in 2^H has the sign that is asked for in all of H heads."""


def amplified(exam: Exam, keys: tuple[int, ...], factor: float) -> tuple[AttentionInputs, Sizes]:
    """A random case whose projections see inputs ``factor`` times as large, and the sizes of the module for it."""
    sizes = exam.subject.binding.sizes
    case = make_case(exam.subject, exam.rng(*keys), exam.dims)
    if _normed(case.weights):
        sizes = replace(sizes, gain=factor)
        case = make_case(exam.subject, exam.rng(*keys), exam.dims, sizes=sizes)
    return _grown(case, factor), sizes


def kept_below(exam: Exam, keys: tuple[int, ...], size: float) -> tuple[AttentionInputs, Sizes] | None:
    """A case with the last two keys hidden, and logits of all others at least ``size`` below those of the hidden ones.

    Returns:
        The case and the sizes of the module for it; ``None`` where no such inputs were found.
    """
    subject = exam.subject
    masked = subject.binding.mask is not None
    case = make_case(subject, exam.rng(*keys), exam.dims, masked=masked)
    chosen = _directions(exam, case, keys)
    if chosen is None:
        return None
    query, away, towards, depth = chosen
    factor, sizes = (size / depth) ** 0.5, subject.binding.sizes
    if _normed(case.weights):
        sizes = replace(sizes, gain=factor)
        case = make_case(subject, exam.rng(*keys), exam.dims, masked=masked, sizes=sizes)
    assert case.x is not None
    rng = exam.rng(*keys, 1)

    def rows(shape: tuple[int, ...], row: Array) -> Array:
        return np.asarray(row * (1 + 0.01 * rng.normal(size=(*shape[:-1], 1))))

    case.x = rows(case.x.shape, query)
    if case.context is not None:
        case.context = rows(case.context.shape, away)
    keyed = case.x if case.context is None else case.context
    keyed[:, -2:] = towards
    if case.keep is not None:
        keep = np.ones_like(case.keep)
        keep[..., -2:] = False
        case.keep = keep
    case = _grown(case, factor)
    for name in ("x", "context", "value_context"):
        if getattr(case, name) is not None:
            setattr(case, name, as_float32(getattr(case, name)))
    return case, sizes


def _normed(weights: Weights | None) -> bool:
    return weights is not None and (weights.x_norm is not None or weights.context_norm is not None)


def _grown(case: AttentionInputs, factor: float) -> AttentionInputs:
    """The inputs that no norm stands before, ``factor`` times as large."""
    w = case.weights
    assert w is not None
    names = ["x"] if w.x_norm is None else []
    names += ["context", "value_context"] if w.context_norm is None else []
    for name in names:
        if getattr(case, name) is not None:
            setattr(case, name, as_float32(getattr(case, name) * factor))
    return case


def _directions(exam: Exam, case: AttentionInputs, keys: tuple[int, ...]) -> tuple[Array, Array, Array, float] | None:
    """A row for the queries, one for the keys it points away from, one for those it does not; and how far away.

    Biases are left out: they don't grow with the inputs.
    """
    w = case.weights
    assert w is not None and case.x is not None
    bare = replace(w, q_bias=None, k_bias=None, v_bias=None)
    rng = exam.rng(*keys, 2)
    own = case.context is None
    trial = AttentionInputs(heads=case.heads, x=rng.normal(size=(1, ROWS, case.x.shape[-1])), weights=bare)
    if case.context is not None:
        trial.context = rng.normal(size=(1, ROWS, case.context.shape[-1]))
        trial.value_context = np.zeros((1, ROWS, w.v.shape[0]))
    query, key, _ = (t[0] for t in projected(trial))
    key = np.repeat(key, query.shape[0] // key.shape[0], axis=0)
    scale = 1.0 if case.conventions.get("scale") == "none" else case.scale or query.shape[-1] ** -0.5
    first = int(np.argmin(np.einsum("hnd,hnd->hn", query, key).max(0))) if own else 0
    logits = np.einsum("hd,hnd->hn", query[:, first], key) * scale
    away, towards = first if own else int(np.argmin(logits.max(0))), int(np.argmax(logits.min(0)))
    depth = float(logits[:, towards].min() - logits[:, away].max())
    if logits[:, away].max() >= -0.1 or logits[:, towards].min() <= -0.1 or depth <= 0.1:
        return None
    source = trial.x if own else trial.context
    assert trial.x is not None and source is not None
    return trial.x[0, first], source[0, away], source[0, towards], float(-logits[:, away].max())
