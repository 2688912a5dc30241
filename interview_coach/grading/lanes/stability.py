"""Large, shifted and steeply changing logits: faults that ordinary inputs do not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from interview_coach.arrays import Array
from interview_coach.grading.cases import as_float32, make_case
from interview_coach.grading.diagnosis import Seen, residual
from interview_coach.grading.exam import Exam
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.lanes.loud import amplified, kept_below
from interview_coach.grading.layouts import canonical_mask
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.observation import Observation
from interview_coach.grading.reference import allowed_error, truth
from interview_coach.oracles.attention import repeat_heads

Rng = np.random.Generator
Asked = tuple[str, AttentionInputs, Observation, str, str]
"""A check, its inputs, the call that is made on them, the code and the detail."""


def stability_lane(exam: Exam) -> None:
    """Probes of the softmax and of the fill of the mask."""
    if exam.failed("formula", "shape", "mask", "hygiene"):
        exam.add("stability.large-logits", "skip", "the output is wrong already")
        return
    if exam.subject.binding.linear:  # nothing is exponentiated, and far from 0 a feature may vanish beside an epsilon
        return
    asked = list(_loud(exam) if exam.subject.binding.projected else _direct(exam))
    if exam.subject.binding.mask is not None and exam.subject.binding.mask.meaning != "additive":
        asked += [*_masked_probes(exam), *_far_below(exam), *_first_tile_masked(exam)]
    elif exam.subject.binding.causal:
        asked += _far_below(exam)
    for id, case, observed, code, detail in asked:
        expected = truth(case)
        if code == "mask-fill-weak" and observed.output is not None and _vanishes(case, observed.output, expected):
            exam.add(id, "warn", f"{detail}: nothing leaks, and the weights of the kept keys are lost beside them")
            continue
        exam.compare(id, case, observed, ordinary=False, code=code, detail=detail, expected=expected)


_LEAKS: tuple[dict[str, str], ...] = (
    {"mask": "ignored"},
    {"causal": "missing"},
    *({"fill": name} for stage, name in ATTENTION.wrong() if stage == "fill"),
)


def _vanishes(case: AttentionInputs, output: Array, expected: Array) -> bool:
    """Whether a wrong output is none that hidden keys leak into.

    Weights masked after the softmax and divided by their sum are right, until those of the kept keys underflow.
    """
    error = relative_error(output, expected)
    if error <= allowed_error(case, expected, error):
        return False
    return not any(residual(ATTENTION, [Seen(case, output)], leak, limit=_NEAR) <= _NEAR for leak in _LEAKS)


_NEAR = 0.05
"""Distance up to which an output counts as the leak that a variant predicts: rounding is coarse at such logits."""


def _set_logits(case: AttentionInputs, size: float) -> None:
    """Scale queries so that the largest scaled logit is about ``size``."""
    assert case.q is not None and case.k is not None
    logits = case.q @ repeat_heads(case.k, case.heads).swapaxes(-1, -2) * case.q.shape[-1] ** -0.5
    case.q = as_float32(case.q * (size / np.abs(logits).max()))


def _large(case: AttentionInputs, rng: Rng) -> None:
    _set_logits(case, 300.0)


def _shifted(amount: float) -> Callable[[AttentionInputs, Rng], None]:
    """All logits of a row moved by ``amount``, by one channel that is constant in q and in k."""

    def apply(case: AttentionInputs, rng: Rng) -> None:
        assert case.q is not None and case.k is not None
        q, k = case.q.copy(), case.k.copy()
        root = q.shape[-1] ** 0.5
        q[..., 0] = 16.0
        k[..., 0] = np.float32(amount * root / 16.0)
        case.q, case.k = as_float32(q), as_float32(k)

    return apply


def _sloped(amount: float) -> Callable[[AttentionInputs, Rng], None]:
    """Logits that rise (or fall) along the keys by ``amount`` in all."""

    def apply(case: AttentionInputs, rng: Rng) -> None:
        assert case.q is not None and case.k is not None
        q, k = case.q.copy(), case.k.copy()
        n = k.shape[-2]
        q[..., 0] = 16.0
        k[..., 0] = np.linspace(0, amount * q.shape[-1] ** 0.5 / 16.0, n)
        case.q, case.k = as_float32(q), as_float32(k)

    return apply


Probe = tuple[str, str, Callable[[AttentionInputs, Rng], None]]
DIRECT_PROBES: tuple[Probe, ...] = (
    ("large-logits", "logits up to ±300", _large),
    ("shifted-up", "all logits + 280", _shifted(280.0)),
    ("shifted-down", "all logits - 280", _shifted(-280.0)),
    ("rising", "logits rise by 300 along the keys", _sloped(300.0)),
    ("falling", "logits fall by 300 along the keys", _sloped(-300.0)),
    ("huge-logits", "all logits + 2000", _shifted(2000.0)),
)


def _direct(exam: Exam) -> Iterator[Asked]:
    for key, (id, detail, shift) in enumerate(DIRECT_PROBES):
        case = make_case(exam.subject, exam.rng(60, key), exam.dims)
        shift(case, exam.rng(61, key))
        yield f"stability.{id}", case, exam.subject.run(case), "no-max-subtraction", detail


def _loud(exam: Exam) -> Iterator[Asked]:
    for key, (id, factor) in enumerate((("large-logits", 10.0), ("huge-logits", 40.0))):
        case, sizes = amplified(exam, (60, key), factor)
        detail = f"inputs {factor:g} times as large"
        yield f"stability.{id}", case, exam.subject.run(case, sizes=sizes), "no-max-subtraction", detail


def _masked_probes(exam: Exam) -> Iterator[Asked]:
    """Masked keys with large logits and values, and kept logits far below zero: weak fills leak here."""
    form = exam.subject.binding.mask
    assert form is not None
    for key, (id, size, value) in enumerate((("masked-keys", 30.0, 1.0), ("masked-huge-values", 1.0, 1e4))):
        case = make_case(exam.subject, exam.rng(62, key), exam.dims, masked=True)
        assert case.keep is not None
        keep = np.ones_like(case.keep)
        keep[..., -2 if keep.shape[-1] > 2 else -1 :] = False
        case.keep = keep
        if exam.subject.binding.projected:
            if case.context is None or case.keep.shape[-2] != 1:
                continue
            context = case.context.copy()
            context[:, -2:] *= 8.0
            case.context = as_float32(context)
        else:
            assert case.k is not None and case.v is not None
            k, v = case.k.copy(), case.v.copy()
            k[..., -2:, :] *= size
            v[..., -2:, :] *= value
            case.k, case.v = as_float32(k), as_float32(v)
        detail = "large keys and values under the mask"
        yield f"stability.{id}", case, exam.subject.run(case), "mask-fill-weak", detail


def _far_below(exam: Exam) -> Iterator[Asked]:
    """Kept logits 200 and 20,000 below hidden ones: finite fills nearer to zero, put there or added, win over them."""
    for key, (id, size) in enumerate((("mask-below-fill", 200.0), ("mask-far-below-fill", 20000.0))):
        if exam.subject.binding.projected:
            found = kept_below(exam, (63, key), size)
            if found is None:
                continue
            case, sizes = found
            observed = exam.subject.run(case, sizes=sizes)
        else:
            case = _all_below(exam, key, size)
            observed = exam.subject.run(case)
        yield f"stability.{id}", case, observed, "mask-fill-weak", f"kept logits {size:g} below hidden ones"


def _all_below(exam: Exam, key: int, size: float) -> AttentionInputs:
    """The last two keys are hidden from a part of the queries at least, and their logits are near 0."""
    case = make_case(exam.subject, exam.rng(63, key), exam.dims, masked=exam.subject.binding.mask is not None)
    _shifted(-size)(case, exam.rng(64))
    assert case.k is not None
    if case.k.shape[-2] > 2:
        case.k[..., -2:, 0] = 0.0
        if case.keep is not None:
            keep = np.ones_like(case.keep)
            keep[..., -2:] = False
            case.keep = keep
    return case


def _first_tile_masked(exam: Exam) -> Iterator[Asked]:
    """The first 66 of 70 keys are masked: a tile may hold nothing to attend to."""
    form = exam.subject.binding.mask
    assert form is not None
    if exam.slow or form.meaning == "lengths":
        return
    length = 70
    dims = replace(exam.dims, b=2, sq=length, sk=length)
    case = make_case(exam.subject, exam.rng(65), dims)
    b = 1 if exam.subject.binding.layout.unbatched else dims.b
    keep = canonical_mask(exam.rng(66).random, replace(form, shape=form.shape), b, case.heads, length, length)
    keep[..., :66] = False
    keep[..., 66:] = True
    case.keep = keep
    if case.causal:
        return
    case.padding = form.padding
    detail = "the first 66 of 70 keys are masked"
    yield "stability.first-tile-masked", case, exam.subject.run(case), "inf-minus-inf", detail
