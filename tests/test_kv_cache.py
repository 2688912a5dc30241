"""Attention that keeps its keys and values: the truth, the wrong variants, the forms of a cache, the solutions."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from interview_coach.exercises import exercises
from interview_coach.grading.cached.names import cache_role, opens
from interview_coach.grading.codes import BUG_CLASSES
from interview_coach.grading.diagnosis import Seen, explain
from interview_coach.grading.engine import grade
from interview_coach.grading.family import ATTENTION, AttentionInputs, Rotation, Weights
from interview_coach.grading.family.base import NotApplicable
from interview_coach.grading.family.cached import CACHED, OF_CACHE
from interview_coach.grading.sandbox import Sandbox
from interview_coach.oracles.attention import attention
from interview_coach.oracles.cached import attention_in_chunks
from interview_coach.resources import resource_dir
from tests.corpus_support import CORPUS

RNG = np.random.default_rng(0)
PLANS = [(10,), (5, 1, 1, 3), (4, 1, 3, 2), (1,) * 10]
TECHNIQUES = ("stable", "preallocated", "stable_numpy")


def case(chunks: tuple[int, ...], rotation: Rotation | None = None) -> AttentionInputs:
    width = 30
    weights = Weights(*(RNG.normal(size=(width, width)) * 0.27 for _ in range(4)))
    made = AttentionInputs(heads=5, x=RNG.normal(size=(3, sum(chunks), width)), weights=weights, causal=True)
    made.chunks, made.rotation = chunks, rotation
    return made


# ── truth and family ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("plan", PLANS)
def test_chunks_of_any_length_equal_one_causal_pass(plan: tuple[int, ...]) -> None:
    q, k, v = (RNG.normal(size=(2, 3, 10, 4)) for _ in range(3))
    np.testing.assert_allclose(attention_in_chunks(q, k, v, plan), attention(q, k, v, causal=True), atol=1e-13)


def test_lengths_must_add_up() -> None:
    q = np.zeros((1, 1, 4, 2))
    with pytest.raises(ValueError, match=r"lengths: \[2, 1\], expected a sum of 4"):
        attention_in_chunks(q, q, q, (2, 1))


@pytest.mark.parametrize("rotation", [None, Rotation(10000.0, False), Rotation(500.0, True)])
@pytest.mark.parametrize("plan", PLANS)
def test_the_right_point_of_the_family_is_one_pass(plan: tuple[int, ...], rotation: Rotation | None) -> None:
    made = case(plan, rotation)
    expected = ATTENTION.evaluate(made.fresh(), {})
    np.testing.assert_allclose(CACHED.evaluate(made.fresh(), {}), expected, atol=1e-12)


def test_each_wrong_variant_of_the_cache_differs_and_is_named_by_a_known_code() -> None:
    made = case((4, 1, 3, 2), Rotation(10000.0, False))
    right = CACHED.evaluate(made.fresh(), {})
    known = 0
    for stage, name in CACHED.wrong():
        assert CACHED.code(stage, name) in BUG_CLASSES
        if stage not in ("memory", "places"):
            continue
        known += 1
        other = CACHED.evaluate(made.fresh(), {stage: name})
        assert np.abs(other - right).max() > 1e-3, (stage, name)
    assert known > 40


def test_what_is_about_a_cache_has_no_meaning_in_one_pass() -> None:
    made = case((6,))
    for stage in ("memory", "places"):
        for name in (n for s, n in CACHED.wrong() if s == stage):
            with pytest.raises(NotApplicable):
                CACHED.evaluate(made.fresh(), {stage: name})


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        ({"causal": "top-left"}, "cache-offset"),
        ({"causal": "chunk-not-causal"}, "cache-chunk-not-causal"),
        ({"memory": "last"}, "cache-stale"),
        ({"memory": "none"}, "cache-stale"),
        ({"memory": "swapped"}, "values-keys-swapped"),
    ],
)
def test_a_variant_is_found_again(choice: dict[str, str], code: str) -> None:
    seen = [Seen(made, CACHED.evaluate(made.fresh(), choice)) for made in (case((5, 1, 1, 3)), case((4, 1, 3, 2)))]
    found = explain(OF_CACHE, seen)
    assert found and CACHED.codes(found[0].choice) == (code,)


def test_two_bugs_of_the_cache_are_found_together() -> None:
    choice = {"memory": "oldest-lost", "causal": "chunk-not-causal"}
    seen = [Seen(made, CACHED.evaluate(made.fresh(), choice)) for made in (case((5, 1, 1, 3)), case((4, 1, 3, 2)))]
    assert explain(OF_CACHE, seen)[0].choice == choice


# ── names ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("cache", "cache"), ("past_key_values", "cache"), ("layer_past", "cache"), ("kv_cache", "cache"),
        ("k_cache", "cache_k"), ("past_v", "cache_v"), ("use_cache", "use_cache"), ("start_pos", "start"),
        ("input_pos", "start"), ("cache_position", "start"), ("x", None), ("mask", None), ("hidden_states", None),
        ("k", None), ("n_heads", None), ("attention_mask", None),
    ],
)  # fmt: skip
def test_names_tell_what_is_about_the_cache(name: str, role: str | None) -> None:
    assert cache_role(name) == role


@pytest.mark.parametrize("name", ["reset", "reset_cache", "clear_cache", "init_cache", "new_sequence", "setup_caches"])
def test_names_tell_what_begins_a_sequence(name: str) -> None:
    assert opens(name)
    assert not opens(f"{name}_and_train_model")


# ── grading ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_stub_is_refused_as_it_stands(sandbox: Sandbox) -> None:
    report = grade("stub.py", text=exercises()["kv-cache"].stub, sandbox=sandbox)
    assert report.exercise == "kv-cache"
    assert report.error is not None and "coach hint kv-cache" in report.error.message


def test_the_contract_tells_where_the_cache_is(sandbox: Sandbox) -> None:
    texts = {
        "kv_cache_concat_tuple.py": "cache, handed back",
        "kv_cache_object_update.py": "cache made by KVCache(), changed in place",
        "kv_cache_self_held_reset.py": "cache in the object, reset_cache() begins a sequence",
        "kv_cache_rope_polar.py": "RoPE interleaved, base 10000",
    }
    for file, text in texts.items():
        report = grade(CORPUS / "right" / file, "kv-cache", sandbox=sandbox, seed=3)
        assert report.verdict == "pass"
        assert report.contract is not None and text in report.contract.summary


def test_a_file_is_known_by_its_cache_without_a_flag(sandbox: Sandbox) -> None:
    report = grade(CORPUS / "right" / "kv_cache_dict_in_place.py", sandbox=sandbox, seed=3)
    assert (report.exercise, report.verdict) == ("kv-cache", "pass")


HIDES_THE_PAST = """
import torch
from torch import nn

class CachedAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, cache=None):
        b, t, c = x.shape
        q, k, v = (f(x).view(b, t, self.n, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        if cache is not None:
            k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)
        s = q @ k.mT / (c // self.n) ** 0.5
        s = s.masked_fill(~torch.ones_like(s, dtype=torch.bool).tril(), float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c)), (k, v)
"""


def test_a_mask_that_is_not_shifted_is_named_with_its_distance(sandbox: Sandbox) -> None:
    report = grade("a.py", "kv-cache", text=HIDES_THE_PAST, sandbox=sandbox, seed=3)
    assert report.verdict == "fail"
    (found,) = report.diagnosis
    assert found.code == "cache-offset" and found.question == "causal-alignment"
    assert found.residual is not None and found.residual < 1e-5
    failed = {c.id for c in report.checks if c.status == "fail"}
    assert "formula.prefill-and-steps" in failed and "formula.generic" not in failed


@pytest.mark.slow
def test_one_pass_of_unknown_positions_is_not_called_wrong(sandbox: Sandbox) -> None:
    text = (CORPUS / "right" / "kv_cache_rope_polar.py").read_text("utf-8")
    text = text.replace("1.0 / (theta **", "1.3 / (theta **")
    report = grade("a.py", "kv-cache", text=text, sandbox=sandbox)
    assert report.verdict == "error" and report.error is not None
    assert report.error.kind == "contract" and "agree with its single pass" in report.error.message


# ── solutions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def module(technique: str) -> ModuleType:
    path = Path(resource_dir("solutions")) / "kv-cache" / f"{technique}.py"
    spec = importlib.util.spec_from_file_location(f"kv_cache_{technique}", path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.mark.parametrize("technique", TECHNIQUES)
@pytest.mark.usefixtures("second_opinions")
def test_solutions_pass_without_a_remark_and_are_recognised(technique: str, sandbox: Sandbox) -> None:
    path = Path(resource_dir("solutions")) / "kv-cache" / f"{technique}.py"
    report = grade(path, sandbox=sandbox, seed=5)
    assert (report.exercise, report.verdict) == ("kv-cache", "pass"), report.error
    assert not [(c.id, c.detail) for c in report.checks if c.status in ("fail", "warn")]
    assert all(word in (module(technique).__doc__ or "") for word in ("Idea:", "Shapes:", "Cost of a"))
    cost = report.cost
    assert cost is not None and cost.flops > 4 * 256 * 256 and cost.peak_bytes > 0
    assert [cost.memory_exponent, cost.flops_exponent] == pytest.approx([2.0, 2.0], abs=0.2)
    assert cost.time_ratio is not None and 0.05 < cost.time_ratio < 20
    assert report.references[-1].name.startswith("kv-cache/") and report.references[-1].error < 1e-6


def call(technique: str) -> Any:
    """The attention of a solution as a function of x and the cache, with 12 channels and 3 heads."""
    loaded = module(technique)
    if technique == "stable_numpy":
        weights = [RNG.normal(size=(12, 12)).astype(np.float32) for _ in range(4)]
        return lambda x, cache=None: loaded.cached_attention(x.numpy(), *weights, 3, cache)
    return loaded.CachedAttention(12, 3)


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_solutions_tell_what_is_wrong_with_an_argument(technique: str) -> None:
    attend = call(technique)
    with pytest.raises(ValueError, match=r"\w: .*float.* of shape .*expected .*(\(batch, tokens, 12\)|x \(2, 5, 11\))"):
        attend(torch.zeros(2, 5, 11))
    _, cache = attend(torch.zeros(2, 5, 12))
    with pytest.raises(ValueError, match=r"cache: .*shape \(2, 3, \d+, 4\), expected \(1, 3, \w+, 4\)"):
        attend(torch.zeros(1, 1, 12), cache)


def test_solutions_tell_of_heads_that_do_not_divide_and_of_a_full_cache() -> None:
    for technique in ("stable", "preallocated"):
        with pytest.raises(ValueError, match="n_heads: 5, expected a divisor of d_model = 12"):
            module(technique).CachedAttention(12, 5)
    attend = module("preallocated").CachedAttention(12, 3, max_tokens=6)
    _, cache = attend(torch.zeros(1, 4, 12))
    with pytest.raises(ValueError, match=r"x: 3 tokens after 4, expected at most 6 in all \(max_tokens\)"):
        attend(torch.zeros(1, 3, 12), cache)


def test_a_case_in_chunks_is_the_same_case() -> None:
    made = case((4, 1, 3, 2))
    assert replace(made.fresh(), chunks=()).chunks == () and made.fresh().chunks == (4, 1, 3, 2)
