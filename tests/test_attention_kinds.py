"""Grouped heads, linear biases, sliding windows, and positions inside an attention: oracles, solutions, gradings."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from interview_coach.exercises import exercises
from interview_coach.grading.conventions import CONVENTIONS
from interview_coach.grading.engine import grade
from interview_coach.grading.family import ATTENTION, AttentionInputs, Rotation
from interview_coach.grading.numbers import relative_error
from interview_coach.grading.prose import states_one_key_head, states_tiled_heads, states_window_before
from interview_coach.grading.sandbox import Sandbox
from interview_coach.oracles.alibi import alibi_attention, alibi_slopes
from interview_coach.oracles.attention import attention
from interview_coach.oracles.grouped import grouped_query_attention
from interview_coach.oracles.rope import apply_rope
from interview_coach.oracles.window import sliding_window_attention, window_mask
from interview_coach.resources import resource_dir

Array = np.ndarray[Any, Any]
LENGTHS = [(1, 1), (1, 7), (5, 7), (7, 5), (8, 8), (17, 17)]
SOLUTIONS = {
    "gqa": ("gqa", ("stable", "repeated", "stable_numpy")),
    "alibi": ("alibi_attention", ("stable", "stable_numpy")),
    "sliding-window": ("sliding_window_attention", ("stable", "stable_numpy", "tiled")),
}
CASES = [(exercise, technique) for exercise, (_, techniques) in SOLUTIONS.items() for technique in techniques]


def module(exercise: str, technique: str) -> ModuleType:
    path = resource_dir("solutions") / exercise / f"{technique}.py"
    spec = importlib.util.spec_from_file_location(f"{exercise}_{technique}".replace("-", "_"), path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def solution(exercise: str, technique: str) -> Callable[..., Array]:
    """A solution on arrays, whatever it is written in; the window is 3."""
    function = getattr(module(exercise, technique), SOLUTIONS[exercise][0])
    extra: tuple[Any, ...] = (3,) if exercise == "sliding-window" else ()
    if technique.endswith("numpy"):
        return lambda *arrays: np.asarray(function(*arrays, *extra))
    return lambda *arrays: np.asarray(function(*(torch.from_numpy(a) for a in arrays), *extra).numpy())


def qkv(sq: int, sk: int, heads: int = 4, kv: int = 4, std: float = 1.5) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng([sq, sk, heads, kv])
    shapes = ((2, heads, sq, 6), (2, kv, sk, 6), (2, kv, sk, 5))
    q, k, v = (rng.normal(size=shape) * std for shape in shapes)
    return q, k, v + 0.5


ORACLES: dict[str, Callable[[Array, Array, Array], Array]] = {
    "gqa": grouped_query_attention,
    "alibi": alibi_attention,
    "sliding-window": lambda q, k, v: sliding_window_attention(q, k, v, 3),
}


# ── oracles ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_slopes_of_the_paper() -> None:
    np.testing.assert_allclose(alibi_slopes(8), [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256])
    np.testing.assert_allclose(alibi_slopes(1), [2**-8])
    np.testing.assert_allclose(alibi_slopes(6), [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3])
    np.testing.assert_allclose(alibi_slopes(6, interpolated=False), 2.0 ** (-8 * np.arange(1, 7) / 6))


def test_a_window_holds_its_number_of_keys() -> None:
    np.testing.assert_array_equal(window_mask(2, 4, 2), [[0, 1, 1, 0], [0, 0, 1, 1]])
    np.testing.assert_array_equal(window_mask(4, 4, 3).sum(-1), [1, 2, 3, 3])
    np.testing.assert_array_equal(window_mask(3, 3, 1), np.eye(3))
    np.testing.assert_array_equal(window_mask(3, 1, 2), [[0], [0], [1]])


def test_linear_biases_by_hand() -> None:
    q, k = np.zeros((1, 1, 1, 1)), np.zeros((1, 1, 2, 1))
    v = np.array([[[[0.0], [1.0]]]])
    assert alibi_attention(q, k, v).item() == pytest.approx(1 / (1 + np.exp(-(2.0**-8))))


def test_grouped_heads_are_those_of_repeated_heads() -> None:
    q, k, v = qkv(5, 7, 6, 2)
    expected = attention(q, np.repeat(k, 3, 1), np.repeat(v, 3, 1))
    np.testing.assert_allclose(grouped_query_attention(q, k, v), expected, atol=1e-14)


@pytest.mark.parametrize(("sq", "sk"), LENGTHS)
def test_the_family_agrees_with_the_oracles(sq: int, sk: int) -> None:
    q, k, v = qkv(sq, sk)
    biased = AttentionInputs(heads=4, q=q, k=k, v=v, causal=True, alibi="paper")
    windowed = AttentionInputs(heads=4, q=q, k=k, v=v, causal=True, window=3)
    np.testing.assert_allclose(ATTENTION.evaluate(biased, {}), alibi_attention(q, k, v), atol=1e-13)
    np.testing.assert_allclose(ATTENTION.evaluate(windowed, {}), sliding_window_attention(q, k, v, 3), atol=1e-13)


@pytest.mark.parametrize("interleaved", [False, True])
def test_rotated_queries_and_keys(interleaved: bool) -> None:
    q, k, v = qkv(5, 7)
    at, of = np.arange(2, 7), np.arange(7)
    turned = apply_rope(q, at, 500.0, interleaved=interleaved), apply_rope(k, of, 500.0, interleaved=interleaved)
    inputs = AttentionInputs(heads=4, q=q, k=k, v=v, causal=True, rotation=Rotation(500.0, interleaved))
    np.testing.assert_allclose(ATTENTION.evaluate(inputs, {}), attention(*turned, v, causal=True), atol=1e-13)


# ── solutions ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("exercise", "technique"), CASES)
def test_solutions_agree_with_the_oracle(exercise: str, technique: str) -> None:
    attend, oracle = solution(exercise, technique), ORACLES[exercise]
    for sq, sk in LENGTHS:
        kv = 2 if exercise == "gqa" else 4
        q, k, v = (x.astype(np.float32) for x in qkv(sq, sk, kv=kv))
        got = attend(q, k, v)
        assert got.dtype == np.float32
        assert relative_error(got.astype(float), oracle(*(x.astype(float) for x in (q, k, v)))) < 2e-6


@pytest.mark.parametrize(("exercise", "technique"), CASES)
def test_solutions_stand_large_logits_and_half_precision(exercise: str, technique: str) -> None:
    attend, oracle = solution(exercise, technique), ORACLES[exercise]
    q, k, v = (x.astype(np.float32) for x in qkv(8, 8, kv=2 if exercise == "gqa" else 4))
    large = q * 100
    assert relative_error(attend(large, k, v).astype(float), oracle(large.astype(float), k, v)) < 1e-5
    q, k, v = (x.astype(np.float16) for x in (q, k, v))
    got = attend(q, k, v)
    assert got.dtype == np.float16
    assert relative_error(got.astype(float), oracle(*(x.astype(float) for x in (q, k, v)))) < 4e-3


@pytest.mark.parametrize("block", [1, 3, 4, 64])
@pytest.mark.parametrize("window", [1, 2, 5, 99])
def test_tiles_of_a_window(window: int, block: int) -> None:
    attend = module("sliding-window", "tiled").sliding_window_attention
    for sq, sk in LENGTHS:
        q, k, v = qkv(sq, sk)
        got = attend(*(torch.from_numpy(x) for x in (q, k, v)), window, block).numpy()
        np.testing.assert_allclose(got, sliding_window_attention(q, k, v, window), atol=1e-12)


@pytest.mark.parametrize(("exercise", "technique"), CASES)
def test_bad_arguments_are_named_with_their_shapes(exercise: str, technique: str) -> None:
    attend = solution(exercise, technique)
    q, k, v = qkv(5, 7)
    with pytest.raises(ValueError, match=r"k: .*shape \(2, 4, 7, 3\).*\(2, 4, 5, 6\)"):
        attend(q, k[..., :3], v)
    with pytest.raises(ValueError, match=r"v: shape \(2, 4, 6, 5\), expected that of k \(2, 4, 7, 6\)"):
        attend(q, k, v[:, :, :6])
    with pytest.raises(ValueError, match=r"v: .*float32.* expected .*float64"):
        attend(q, k, v.astype(np.float32))
    with pytest.raises(ValueError, match=r"q: .* of shape \(4, 5, 6\), expected .*\(B, H, S, D\)"):
        attend(q[0], k, v)


@pytest.mark.parametrize("technique", SOLUTIONS["gqa"][1])
def test_numbers_of_heads_that_do_not_fit(technique: str) -> None:
    q, k, v = qkv(5, 7, 4, 3)
    with pytest.raises(ValueError, match=r"k: 3 heads in shape \(2, 3, 7, 6\), expected a divisor of the 4 of q"):
        solution("gqa", technique)(q, k, v)


@pytest.mark.parametrize("technique", SOLUTIONS["alibi"][1])
def test_six_heads_have_no_slopes_of_the_plain_kind(technique: str) -> None:
    with pytest.raises(ValueError, match=r"q: 6 heads in shape \(2, 6, 5, 6\), expected a power of two"):
        solution("alibi", technique)(*qkv(5, 7, 6, 6))


@pytest.mark.parametrize("technique", SOLUTIONS["sliding-window"][1])
@pytest.mark.parametrize("window", [0, -1])
def test_a_window_of_nothing(technique: str, window: int) -> None:
    arrays = [x if technique.endswith("numpy") else torch.from_numpy(x) for x in qkv(5, 7)]
    with pytest.raises(ValueError, match=rf"window: {window}, expected an integer of at least 1"):
        module("sliding-window", technique).sliding_window_attention(*arrays, window)


# ── grading ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("exercise", "technique"), CASES)
@pytest.mark.usefixtures("second_opinions")
def test_solutions_pass_without_a_remark_and_are_recognised(exercise: str, technique: str, sandbox: Sandbox) -> None:
    report = grade(resource_dir("solutions") / exercise / f"{technique}.py", sandbox=sandbox, seed=1)
    remarks = [(c.id, c.detail) for c in report.checks if c.status in ("fail", "warn")]
    assert (report.exercise, report.verdict, remarks) == (exercise, "pass", [])
    assert report.cost is not None and report.cost.time_ratio is not None and 0.05 < report.cost.time_ratio < 20
    assert report.references[-1].name.startswith(f"{exercise}/") and report.references[-1].error < 1e-6


@pytest.mark.parametrize("exercise", list(SOLUTIONS))
def test_a_stub_is_refused(exercise: str, sandbox: Sandbox) -> None:
    report = grade("stub.py", text=exercises()[exercise].stub, sandbox=sandbox)
    assert report.exercise == exercise
    assert report.verdict == "error"


PARTIAL = '''
import torch

def causal_attention(q, k, v, rotary_pct=0.5):
    """RoPE on the first half of the channels. (B, H, S, D)"""
    def rope(x, pos):
        r = 2 * (int(x.shape[-1] * rotary_pct) // 2)
        a = pos[:, None] * 10000.0 ** (-torch.arange(0, r, 2) / r)
        y, z = x[..., : r // 2], x[..., r // 2 : r]
        return torch.cat([y * a.cos() - z * a.sin(), z * a.cos() + y * a.sin(), x[..., r:]], -1)
    n, m = q.shape[-2], k.shape[-2]
    s = rope(q, torch.arange(m - n, m)) @ rope(k, torch.arange(m)).mT / q.shape[-1] ** 0.5
    keep = torch.ones(n, m, dtype=torch.bool).tril(m - n)
    return s.masked_fill(~keep, -torch.inf).softmax(-1) @ v
'''


def test_a_rotation_of_another_kind_is_not_called_wrong(sandbox: Sandbox) -> None:
    report = grade("partial.py", "causal", text=PARTIAL, sandbox=sandbox, seed=1)
    assert report.error is not None
    assert report.error.kind == "contract"
    assert "half-split and interleaved pairs" in report.error.message


def test_the_positions_inside_are_in_the_contract(sandbox: Sandbox) -> None:
    corpus = Path(__file__).parent / "corpus" / "right"
    found = {
        name: grade(corpus / f"inside_{name}.py", exercise, sandbox=sandbox, seed=1).contract
        for name, exercise in (("rope_complex", "causal"), ("alibi_causal", "causal"), ("rope_half", "multi-head"))
    }
    told = {name: contract.summary for name, contract in found.items() if contract is not None}
    assert "RoPE interleaved, base 500000" in told["rope_complex"]
    assert "ALiBi" in told["alibi_causal"]
    assert "RoPE half-split, base 10000" in told["rope_half"]


def test_what_a_file_must_say_to_mean_another_convention() -> None:
    assert states_tiled_heads("query head h reads key/value head h % Hkv")
    assert states_tiled_heads("k、v 头平铺到 query 头上")
    assert not states_tiled_heads("each key/value head serves a run of query heads; k is repeated")
    assert states_one_key_head("Multi-query attention (MQA)")
    assert not states_one_key_head("k, v: (B, Hkv, S, D)")
    for text in (
        "query i sees i - window .. i",
        "the query itself and the `window` keys before it",
        "看到自身和前 window 个 key",
        "i - window <= j <= i",
    ):
        assert states_window_before(text), text
    for text in (
        "query i sees i - window + 1 .. i",
        "当前和之前共 window 个",
        "the last window keys, itself included",
        "keys in (i - window, i]",
    ):
        assert not states_window_before(text), text


def test_conventions_are_variants_of_the_family() -> None:
    for stage, name in CONVENTIONS:
        assert name in ATTENTION.stages[stage]


def test_paths_of_solutions_exist() -> None:
    folder = Path(resource_dir("solutions"))
    found = {(p.parent.name, p.stem) for e in SOLUTIONS for p in (folder / e).glob("*.py")}
    assert found == set(CASES)
