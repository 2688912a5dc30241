"""The families of computations: their right point is the oracle, every wrong variant is another computation."""

from __future__ import annotations

import numpy as np
import pytest

from interview_coach.grading.codes import BUG_CLASSES
from interview_coach.grading.diagnosis import FIT, Seen, explain, residual
from interview_coach.grading.family import ATTENTION, SOFTMAX, AttentionInputs, Rotation, SoftmaxInputs, Weights
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.numbers import first_wrong, relative_error, round_to, stable_attention
from interview_coach.grading.reference import careful
from interview_coach.oracles.attention import attention, causal_mask, multi_head_attention, softmax
from interview_coach.oracles.linear import linear_attention

RNG = np.random.default_rng(0)


def direct(causal: bool = False, masked: bool = False, square: bool = False) -> AttentionInputs:
    sk = 5 if square else 7
    q, k, v = RNG.normal(size=(3, 2, 5, 11)), RNG.normal(size=(3, 2, sk, 11)), RNG.normal(size=(3, 2, sk, 13)) + 0.5
    case = AttentionInputs(heads=2, q=q, k=k, v=v)
    case.causal = causal
    if masked:
        case.keep = RNG.random((3, 1, 5, sk)) > 0.4
        case.keep[..., 0], case.keep[..., 1] = True, False
    return case


def projected() -> AttentionInputs:
    width = 12
    matrices = [RNG.normal(size=(width, width)) * 0.4 for _ in range(4)]
    biases = [RNG.normal(size=width) for _ in range(4)]
    return AttentionInputs(heads=3, x=RNG.normal(size=(2, 5, width)), weights=Weights(*matrices, *biases))


def test_attention_by_hand() -> None:
    q, k = np.array([[[[0.0, 0.0]]]]), np.array([[[[1.0, 2.0], [3.0, 4.0]]]])
    v = np.array([[[[2.0], [6.0]]]])
    assert attention(q, k, v).item() == 4.0
    assert attention(q, k, v, np.array([True, False])).item() == 2.0
    assert attention(q, k, v, np.array([False, False])).item() == 0.0


def test_softmax_by_hand() -> None:
    np.testing.assert_allclose(softmax(np.log([1.0, 2.0, 5.0])), [0.125, 0.25, 0.625])
    np.testing.assert_array_equal(softmax(np.array([-np.inf, -np.inf])), [0.0, 0.0])
    np.testing.assert_allclose(softmax(np.array([1000.0, 1000.0])), [0.5, 0.5])


def test_the_causal_corner_is_the_bottom_right() -> None:
    np.testing.assert_array_equal(causal_mask(2, 4), [[1, 1, 1, 0], [1, 1, 1, 1]])


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_the_default_point_is_the_oracle(causal: bool, masked: bool) -> None:
    case = direct(causal, masked)
    assert case.q is not None and case.k is not None and case.v is not None
    expected = attention(case.q, case.k, case.v, case.keep, causal=causal)
    np.testing.assert_allclose(ATTENTION.evaluate(case.fresh(), {}), expected, atol=1e-14)


@pytest.mark.parametrize("causal", [False, True])
def test_the_default_point_of_linear_attention_is_its_oracle(causal: bool) -> None:
    case = direct(causal, square=causal)
    case.linear = True
    assert case.q is not None and case.k is not None and case.v is not None
    expected = linear_attention(case.q, case.k, case.v, causal=causal)
    np.testing.assert_allclose(ATTENTION.evaluate(case.fresh(), {}), expected, atol=1e-14)
    assert relative_error(careful(case, "float32"), expected) < 1e-6
    assert 1e-6 < relative_error(careful(case, "float16"), expected) < 1e-2


def test_the_default_point_with_projections_is_the_oracle() -> None:
    case = projected()
    w = case.weights
    assert w is not None and case.x is not None
    named = {"q": w.q, "k": w.k, "v": w.v, "o": w.o}
    named |= {f"{n}_bias": getattr(w, f"{n}_bias") for n in "qkvo"}
    expected = multi_head_attention(case.x, case.x, named, 3)
    np.testing.assert_allclose(ATTENTION.evaluate(case.fresh(), {}), expected, atol=1e-13)


def test_every_wrong_variant_shows_somewhere() -> None:
    cases = [direct(), direct(True), direct(False, True), direct(True, True), direct(square=True), projected()]
    long = AttentionInputs(heads=1, **{n: RNG.normal(size=(1, 1, 130, 8)) * 2 for n in "qkv"})
    assert long.k is not None
    long.k[..., -1, :] *= 5
    bare = projected()
    assert bare.weights is not None
    bare.weights = Weights(bare.weights.q, bare.weights.k, bare.weights.v)
    narrow = projected()
    narrow.x = RNG.normal(size=(2, 5, 10))
    narrow.weights = Weights(*(RNG.normal(size=(10, 12)) * 0.4 for _ in range(3)))
    padded = direct()
    padded.keep, padded.padding = np.arange(7)[None, None, None, :] < np.array([3, 5, 6])[:, None, None, None], True
    grouped = direct()
    grouped.heads, grouped.q = 6, RNG.normal(size=(3, 6, 5, 11))
    context = projected()
    context.context = RNG.normal(size=(2, 5, 12))
    context.value_context = RNG.normal(size=(2, 5, 12))
    late = AttentionInputs(heads=1, causal=True, **{n: RNG.normal(size=(1, 1, 130, 8)) * 2 for n in "qkv"})
    square_padded = direct(square=True)
    square_padded.keep, square_padded.padding = padded.keep[..., :5], True
    shallow = AttentionInputs(heads=3, **{n: RNG.normal(size=(3, 3, 5, 6)) for n in "qkv"})
    shallow.keep = RNG.random((3, 1, 5, 5)) > 0.4
    rotated, biased = direct(), direct(causal=True)
    rotated.q, rotated.k, rotated.v = (RNG.normal(size=(3, 4, n, 6)) for n in (5, 7, 7))
    rotated.heads, rotated.rotation = 4, Rotation(100.0)
    biased.q, biased.k = (RNG.normal(size=(3, 4, n, 11)) for n in (5, 7))
    biased.v, biased.heads, biased.alibi = RNG.normal(size=(3, 4, 7, 13)), 4, "paper"
    banded = AttentionInputs(heads=1, causal=True, window=4)
    banded.q, banded.k, banded.v = (RNG.normal(size=(1, 1, n, 8)) for n in (15, 17, 17))
    by_head = direct()
    by_head.keep = RNG.random((3, by_head.heads, 5, 7)) > 0.4
    cases += [long, bare, narrow, padded, grouped, context, late, square_padded, shallow, rotated, biased, banded]
    linear = [direct(), direct(causal=True), direct(masked=True)]
    for case in linear:
        case.linear = True
    cases += [by_head, *linear]
    silent = []
    for stage, name in ATTENTION.wrong():
        for case in cases:
            try:
                changed = ATTENTION.evaluate(case.fresh(), {stage: name})
            except NotApplicable:
                continue
            truth = ATTENTION.evaluate(case.fresh(), {})
            if changed.shape != truth.shape or not np.allclose(changed, truth, atol=1e-6, equal_nan=True):
                break
        else:
            silent.append((stage, name))
    # Fills this far below zero need logits as far away to show: the stability lane brings them.
    assert [s for s in silent if s[0] != "fill"] == []


def test_every_code_has_a_message_in_both_languages() -> None:
    codes = {ATTENTION.code(s, n) for s, n in ATTENTION.wrong()} | {SOFTMAX.code(s, n) for s, n in SOFTMAX.wrong()}
    assert codes <= set(BUG_CLASSES)
    assert all(b.message.en and b.message.zh and b.message.en != b.message.zh for b in BUG_CLASSES.values())


@pytest.mark.parametrize(
    "choice",
    [
        {"scale": "none"},
        {"softmax": "queries"},
        {"mask": "inverted"},
        {"scale": "d", "mask": "ignored"},
        {"fill": "-10"},
        {"causal": "leaks"},
        {"causal": "top-left", "scale": "none"},
    ],
)
def test_a_planted_choice_is_found(choice: dict[str, str]) -> None:
    masks = (True,) if {"mask", "fill"} & set(choice) else (True, False)
    cases = [direct("causal" in choice, masked) for masked in masks]
    seen = [Seen(c, ATTENTION.evaluate(c.fresh(), choice).astype(np.float32).astype(float)) for c in cases]
    assert choice in [e.choice for e in explain(ATTENTION, seen)]


def test_what_is_no_member_is_not_named() -> None:
    case = direct()
    output = ATTENTION.evaluate(case.fresh(), {}) + RNG.normal(size=(3, 2, 5, 13))
    assert explain(ATTENTION, [Seen(case, output)]) == []


def test_nan_fits_nothing_finite() -> None:
    case = direct()
    output = np.full((3, 2, 5, 13), np.nan)
    assert residual(ATTENTION, [Seen(case, output)], {}) == np.inf
    assert explain(ATTENTION, [Seen(case, output)], pairs=False) == []


def test_a_softmax_over_the_wrong_axis_is_found() -> None:
    x = RNG.normal(size=(3, 4, 5))
    seen = [Seen(SoftmaxInputs(x), softmax(x, -2))]
    assert SOFTMAX.codes(explain(SOFTMAX, seen)[0].choice) == ("softmax-wrong-axis",)


# ── numbers ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_rounding() -> None:
    assert round_to(np.array([1.0009765625 / 2 + 0.5]), "float16").item() == 1.0
    assert round_to(np.array([70000.0]), "float16").item() == np.inf
    assert round_to(np.array([256.0 + 1.0]), "bfloat16").item() == 256.0
    assert round_to(np.array([256.0 + 3.0]), "bfloat16").item() == 260.0
    assert round_to(np.array([-np.inf]), "bfloat16").item() == -np.inf


@pytest.mark.parametrize("position", range(6))
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nothing_that_is_not_finite_is_small(position: int, bad: float) -> None:
    expected = np.arange(6.0).reshape(2, 3)
    got = expected.copy()
    got.reshape(-1)[position] = bad
    assert relative_error(got, expected) == np.inf
    assert f"first at {[position // 3, position % 3]}" in first_wrong(got, expected, 1e-5)


def test_relative_error_is_relative_to_the_size_of_the_output() -> None:
    assert relative_error(np.array([1.0, 100.1]), np.array([1.0, 100.0])) == pytest.approx(1e-3)
    assert relative_error(np.zeros((2, 3)), np.zeros((3, 2))) == np.inf
    assert relative_error(np.zeros(0), np.zeros(0)) == 0.0


def test_the_careful_computation_is_close_in_each_format() -> None:
    case = direct()
    assert case.q is not None and case.k is not None and case.v is not None
    truth = attention(case.q, case.k, case.v)
    errors = {
        d: relative_error(stable_attention(case.q, case.k, case.v, None, d), truth)
        for d in ("float32", "float16", "bfloat16")
    }
    assert errors["float32"] < 1e-6
    assert FIT < errors["float16"] < 5e-3
    assert errors["float16"] < errors["bfloat16"] < 5e-2
