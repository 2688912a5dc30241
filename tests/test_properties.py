"""Properties of the grader, on attention that is written for each example: any shape, axis order, mask and fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from interview_coach.arrays import Array
from interview_coach.grading.diagnosis import FIT, Seen, residual
from interview_coach.grading.engine import grade
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.layouts import DIRECT, MaskForm, canonical_mask
from interview_coach.grading.numbers import first_wrong, relative_error
from interview_coach.grading.reference import FLOOR, allowed_error, truth
from interview_coach.grading.sandbox import Sandbox
from interview_coach.oracles.attention import attention, softmax
from tests.attention_writer import AXES, MASKS, Convention, written

QUICK = settings(max_examples=25, derandomize=True, deadline=None)
FEW = settings(max_examples=5, derandomize=True, deadline=None)
MANY = settings(max_examples=150, deadline=None)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


@st.composite
def conventions(draw: st.DrawFn) -> Convention:
    """Any convention that means one thing: keys without a batch have no lengths, one head has no groups."""
    layout = draw(st.sampled_from(sorted(AXES)))
    batched, headed = "B" in layout, "H" in layout
    kinds = ["plain", "causal", *MASKS, *(["grouped"] if headed else [])]
    kind = draw(st.sampled_from([kind for kind in kinds if batched or kind != "lengths"]))
    letters = draw(st.booleans()) or not headed  # without, code on fewer axes is the same for more
    return Convention(layout, kind if kind in MASKS else "none", kind == "causal", kind == "grouped", letters)


@dataclass(frozen=True)
class Shape:
    """Sizes of a call."""

    b: int
    kv: int
    group: int
    sq: int
    sk: int
    d: int
    dv: int


HEADS = st.integers(1, 3)
SHAPES = st.builds(Shape, HEADS, HEADS, HEADS, *[st.integers(1, 9)] * 4)
"""Sizes down to one."""


@st.composite
def telling_shapes(draw: st.DrawFn) -> Shape:
    """Sizes on which a fault shows: more than one of each, all different, fewer queries than keys."""
    (sq, sk), (d, dv) = sorted(draw(st.permutations(range(3, 8)))[:2]), draw(st.permutations((8, 9, 11)))[:2]
    return Shape(*draw(st.tuples(*[st.integers(2, 3)] * 3)), sq, sk, d, dv)


def computed(source: str, name: str) -> Callable[..., Array]:
    """The function of a source, here and now."""
    space: dict[str, Any] = {}
    exec(source, space)
    function: Callable[..., Array] = space[name]
    return function


def called(convention: Convention, shape: Shape, seed: int, fault: str | None = None) -> tuple[AttentionInputs, Array]:
    """Canonical inputs, and what the written attention makes of them, back in canonical order."""
    rng, layout = np.random.default_rng(seed), DIRECT[convention.layout]
    b = 1 if layout.unbatched else shape.b
    kv = 1 if layout.one_head else shape.kv
    heads = kv * shape.group if convention.grouped else kv
    q, k, v = (
        rng.normal(size=size)
        for size in (
            (b, heads, shape.sq, shape.d), (b, kv, shape.sk, shape.d), (b, kv, shape.sk, shape.dv),
        )
    )  # fmt: skip
    case = AttentionInputs(heads=heads, q=q, k=k, v=v + 0.5, causal=convention.causal)
    arguments = [layout.out_of(np.asarray(t, np.float32)) for t in (q, k, v + 0.5)]
    if convention.mask != "none":
        rows = (
            "lengths"
            if convention.mask == "lengths"
            else "QK"
            if layout.unbatched
            else "BQK"
            if layout.one_head
            else "B1QK"
        )
        form = MaskForm(rows, "bool", convention.mask)
        case.keep = canonical_mask(rng.random, form, b, heads, shape.sq, shape.sk)
        arguments.append(form.encode(case.keep).data)
    function = computed(written(convention, fault), convention.name)
    return case, layout.back(np.asarray(function(*arguments), np.float64))


@given(convention=conventions(), shape=SHAPES, seed=st.integers(0, 999))
@QUICK
def test_any_right_attention_is_within_the_tolerance_of_the_oracle(
    convention: Convention, shape: Shape, seed: int
) -> None:
    case, output = called(convention, shape, seed)
    assert case.q is not None and case.k is not None and case.v is not None
    expected = attention(case.q, case.k, case.v, case.keep, causal=case.causal)
    np.testing.assert_allclose(truth(case), expected, rtol=0, atol=1e-12)
    error = relative_error(output, expected)
    assert error <= allowed_error(case, expected, error)


@given(convention=conventions(), shape=telling_shapes(), seed=st.integers(0, 999), data=st.data())
@QUICK
def test_any_fault_is_beyond_the_tolerance_and_the_family_has_it(
    convention: Convention, shape: Shape, seed: int, data: st.DataObject
) -> None:
    fault = data.draw(st.sampled_from(convention.faults()))
    assume(fault != "softmax-wrong-axis" or convention.mask == "none")  # hidden columns: written guards differ
    case, output = called(convention, shape, seed, fault)
    assert relative_error(output, truth(case)) > 10 * FLOOR
    named = [{stage: name} for stage, name in ATTENTION.wrong() if ATTENTION.code(stage, name) == fault]
    assert min(residual(ATTENTION, [Seen(case, output)], choice) for choice in named) <= FIT


def passes_as_written(convention: Convention, seed: int, sandbox: Sandbox) -> None:
    """Grade the right attention of a convention: it passes, and the contract is the one it was written in."""
    report = grade("attention.py", text=written(convention), sandbox=sandbox, seed=seed)
    assert (report.verdict, report.error, [c for c in report.checks if c.status == "fail"]) == ("pass", None, [])
    assert report.contract is not None
    assert (report.contract.layout, report.contract.mask or "none") == (convention.layout, convention.mask)


def fails_by_name(convention: Convention, fault: str, seed: int, sandbox: Sandbox) -> None:
    """Grade an attention with one fault: it fails, and the fault is named."""
    report = grade("attention.py", text=written(convention, fault), sandbox=sandbox, seed=seed)
    assert (report.verdict, report.correct) == ("fail", False)
    assert fault in [d.code for d in report.diagnosis]


@given(convention=conventions(), seed=st.integers(0, 999))
@FEW
def test_a_right_attention_passes_in_any_convention(convention: Convention, seed: int, sandbox: Sandbox) -> None:
    passes_as_written(convention, seed, sandbox)


@given(convention=conventions(), seed=st.integers(0, 999), data=st.data())
@FEW
def test_a_fault_fails_by_name_in_any_convention(
    convention: Convention, seed: int, data: st.DataObject, sandbox: Sandbox
) -> None:
    fails_by_name(convention, data.draw(st.sampled_from(convention.faults())), seed, sandbox)


@pytest.mark.slow
@given(convention=conventions(), seed=st.integers(0, 999_999))
@MANY
def test_many_right_attentions_pass(convention: Convention, seed: int, sandbox: Sandbox) -> None:
    passes_as_written(convention, seed, sandbox)


@pytest.mark.slow
@given(convention=conventions(), seed=st.integers(0, 999_999), data=st.data())
@MANY
def test_many_faults_fail_by_name(convention: Convention, seed: int, data: st.DataObject, sandbox: Sandbox) -> None:
    fails_by_name(convention, data.draw(st.sampled_from(convention.faults())), seed, sandbox)


@given(shape=st.lists(st.integers(1, 4), min_size=1, max_size=4), data=st.data())
@QUICK
def test_what_is_not_finite_is_far_off_wherever_it_stands(shape: list[int], data: st.DataObject) -> None:
    expected = np.random.default_rng(0).normal(size=shape)
    at = tuple(data.draw(st.integers(0, size - 1)) for size in shape)
    got = expected.copy()
    got[at] = data.draw(st.sampled_from([np.nan, np.inf, -np.inf]))
    assert relative_error(got, expected) == np.inf
    assert first_wrong(got, expected, FLOOR).startswith(f"first at {list(at)}: ")


@given(logits=st.lists(st.floats(-700, 700) | st.just(-np.inf), min_size=1, max_size=6), shift=st.floats(-300, 300))
@QUICK
def test_a_softmax_is_a_distribution_that_no_shift_changes(logits: list[float], shift: float) -> None:
    row = np.array(logits)
    weights = softmax(row)
    assert (weights >= 0).all() and (weights[np.isneginf(row)] == 0).all()
    assert weights.sum() == pytest.approx(float(np.isfinite(row).any()))
    np.testing.assert_allclose(softmax(row + shift), weights, atol=1e-12)
