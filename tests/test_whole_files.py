"""Files as repositories hold them: blocks, parts and missing packages around the attention that is graded."""

from __future__ import annotations

import numpy as np
import pytest

from interview_coach.grading.engine import grade
from interview_coach.grading.family import ATTENTION, AttentionInputs
from interview_coach.grading.polarity import stated_polarity
from interview_coach.grading.prose import states_additive
from interview_coach.grading.report import Report
from interview_coach.grading.sandbox import Sandbox

HEAD = """
import torch
from torch import nn
"""

GROUPED_IN_A_BLOCK = (
    HEAD
    + """
class Gated(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.w1, self.w2, self.w3 = (nn.Linear(cfg.dim, cfg.dim, bias=False) for _ in range(3))

    def forward(self, x):
        return self.w2(torch.nn.functional.silu(self.w1(x)) * self.w3(x))

class GQA(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.h, self.g, self.d = cfg.n_heads, cfg.n_kv_heads, cfg.dim // cfg.n_heads
        self.q = nn.Linear(cfg.dim, self.h * self.d)
        self.k, self.v = (nn.Linear(cfg.dim, self.g * self.d) for _ in range(2))
        self.o = nn.Linear(self.h * self.d, cfg.dim)

    def forward(self, x):
        b, s, _ = x.shape
        q = self.q(x).view(b, s, self.h, self.d).transpose(1, 2)
        k, v = (p(x).view(b, s, self.g, self.d).transpose(1, 2) for p in (self.k, self.v))
        k, v = (t.repeat_interleave(self.h // self.g, dim=1) for t in (k, v))
        p = (q @ k.mT * self.d ** -0.5).softmax(-1)
        return self.o((p @ v).transpose(1, 2).flatten(2))

class Layer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.mix, self.gated = GQA(cfg), Gated(cfg)

    def forward(self, x):
        x = x + self.mix(x)
        return x + self.gated(x)
"""
)

FEED_FORWARD_ONLY = (
    HEAD
    + """
from somewhere_else import fused

class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.qkv, self.o, self.h = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim), heads

    def forward(self, x):
        return self.o(fused(self.qkv(x), self.h))

class FeedForward(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w1, self.w2, self.w3 = (nn.Linear(dim, dim, bias=False) for _ in range(3))

    def forward(self, x):
        return self.w2(torch.nn.functional.silu(self.w1(x)) * self.w3(x))
"""
)

SCALED_BY_THE_CALLER = (
    HEAD
    + """
def attend(q, k, v):
    return (q @ k.mT).softmax(-1) @ v

class Attention(nn.Module):
    def __init__(self, dim, heads, frames):
        super().__init__()
        self.qkv, self.o, self.h = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim), heads

    def forward(self, x, regroup, ungroup):
        q, k, v = (regroup(t) for t in self.qkv(x).chunk(3, -1))
        return self.o(ungroup(attend(q * q.shape[-1] ** -0.5, k, v)))
"""
)

RAISES_AROUND_A_RIGHT_PART = (
    HEAD
    + """
def attention(q, k, v):
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        q, k, v = (p(x).view(x.shape[0], self.h, -1, 7, 11) for p in (self.q, self.k, self.v))
        return self.o(attention(q, k, v).flatten(2))
"""
)

RANDOM_FEATURES = (
    HEAD
    + """
class FastAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.q, self.k, self.v, self.o = (nn.Linear(dim, dim) for _ in range(4))
        self.register_buffer("projection_matrix", torch.randn(16, dim // heads))

    def forward(self, x):
        b, s, c = x.shape
        q, k, v = (p(x).view(b, s, self.h, -1).transpose(1, 2) for p in (self.q, self.k, self.v))
        q, k = ((t @ self.projection_matrix.T).relu() + 1e-3 for t in (q, k))
        out = q @ (k.mT @ v) / (q @ k.sum(-2)[..., None])
        return self.o(out.transpose(1, 2).reshape(b, s, c))
"""
)

FUSED_AS_ITS_NAME_SAYS = (
    HEAD
    + """
class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.kqv = nn.Linear(d_model, 3 * d_model)

    def forward(self, x):
        b, s, c = x.shape
        k, q, v = (t.view(b, s, self.h, -1).transpose(1, 2) for t in self.kqv(x).chunk(3, -1))
        return ((q @ k.mT * c ** -0.5).softmax(-1) @ v).transpose(1, 2).reshape(b, s, c)
"""
)

CHUNKS_OF_A_MODULE = (
    HEAD
    + """
class MemoryEfficientAttention(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.h, self.qkv, self.o = num_heads, nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    @staticmethod
    def chunk(query, key, value):
        s = query @ key.mT
        m = s.amax(-1, keepdim=True)
        p = (s - m).exp()
        return p @ value, p.sum(-1, keepdim=True), m

    def forward(self, x):
        b, s, c = x.shape
        q, k, v = (t.view(b, s, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        out = total = top = 0.0
        for at in range(0, s, 16):
            o, d, m = self.chunk(q * q.shape[-1] ** -0.5, k[:, :, at : at + 16], v[:, :, at : at + 16])
            new = m if at == 0 else torch.maximum(m, top)
            old, add = (0.0 if at == 0 else (top - new).exp()), (m - new).exp()
            out, total, top = out * old + o * add, total * old + d * add, new
        out = out / total
        return self.o(out.transpose(1, 2).reshape(b, s, c))
"""
)

OF_A_WINDOW = (
    HEAD
    + """
class WindowAttention(nn.Module):
    def __init__(self, dim, window_size, num_heads):
        super().__init__()
        self.window_size, self.h = window_size, num_heads
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)

    def forward(self, x):
        b, s, c = x.shape
        q, k, v = (t.view(b, s, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        p = (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1)
        return self.proj((p @ v).transpose(1, 2).reshape(b, s, c))
"""
)

ONE_NARROW_HEAD = (
    HEAD
    + """
class Head(nn.Module):
    def __init__(self, n_embd, head_size):
        super().__init__()
        self.key, self.query, self.value = (nn.Linear(n_embd, head_size, bias=False) for _ in range(3))

    def forward(self, x):
        scores = self.query(x) @ self.key(x).mT * x.shape[-1] ** -0.5
        return scores.softmax(-1) @ self.value(x)
"""
)

A_ROTATION_BESIDE = (
    HEAD
    + """
def apply_rope(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)

class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.h, self.p = n_heads, dropout
        self.qkv, self.o = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)

    def forward(self, x):
        b, s, c = x.shape
        q, k, v = (t.view(b, s, self.h, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        p = (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1)
        p = nn.functional.dropout(p, self.p)
        return self.o((p @ v).transpose(1, 2).reshape(b, s, c))
"""
)

EXITS_WITHOUT_A_PACKAGE = """
try:
    import numpy as np
    import matplotlib.pyplot as plt
except ImportError:
    raise SystemExit("pip install numpy matplotlib")

def attention(q, k, v):
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
"""

CONTEXT_WITHOUT_STATIC = """
import torch

class FlashAttention(torch.autograd.Function):
    def forward(ctx, Q, K, V):
        out = torch.zeros_like(Q)
        for i in range(0, Q.shape[-2], 16):
            m = l = acc = None
            for j in range(0, K.shape[-2], 16):
                s = Q[..., i : i + 16, :] @ K[..., j : j + 16, :].mT * Q.shape[-1] ** -0.5
                top = s.amax(-1, keepdim=True) if m is None else torch.maximum(m, s.amax(-1, keepdim=True))
                p = (s - top).exp()
                old = 0.0 if m is None else (m - top).exp()
                l = p.sum(-1, keepdim=True) + (0.0 if l is None else l * old)
                acc = p @ V[..., j : j + 16, :] + (0.0 if acc is None else acc * old)
                m = top
            out[..., i : i + 16, :] = acc / l
        return out
"""


def report(text: str, sandbox: Sandbox) -> Report:
    return grade("file.py", text=text, sandbox=sandbox, seed=1)


@pytest.mark.parametrize(
    ("text", "callable_name", "verdict", "codes"),
    [
        pytest.param(GROUPED_IN_A_BLOCK, "GQA", "pass", [], marks=pytest.mark.slow),
        (FUSED_AS_ITS_NAME_SAYS, "SelfAttention", "fail", ["scale-by-d-model"]),
        pytest.param(CHUNKS_OF_A_MODULE, "MemoryEfficientAttention", "pass", [], marks=pytest.mark.slow),
        (OF_A_WINDOW, "WindowAttention", "pass", []),
        (ONE_NARROW_HEAD, "Head", "fail", ["scale-by-d-model"]),
        pytest.param(A_ROTATION_BESIDE, "SelfAttention", "fail", ["dropout-in-eval"], marks=pytest.mark.slow),
        pytest.param(EXITS_WITHOUT_A_PACKAGE, "attention", "pass", [], marks=pytest.mark.slow),
        pytest.param(CONTEXT_WITHOUT_STATIC, "FlashAttention", "pass", [], marks=pytest.mark.slow),
    ],
    ids=["block", "kqv", "chunks", "window", "narrow-head", "rotation", "exit", "context"],
)
def test_the_attention_of_a_file_is_graded(
    text: str, callable_name: str, verdict: str, codes: list[str], sandbox: Sandbox
) -> None:
    got = report(text, sandbox)
    assert (got.callable, got.verdict) == (callable_name, verdict)
    assert [d.code for d in got.diagnosis] == codes


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (FEED_FORWARD_ONLY, "import", "somewhere_else"),
        (SCALED_BY_THE_CALLER, "contract", "regroup"),
        (RAISES_AROUND_A_RIGHT_PART, "crash", "MultiHeadAttention"),
        (RANDOM_FEATURES, "contract", "projection_matrix"),
    ],
    ids=["feed-forward", "scaled-by-caller", "raises", "random-features"],
)
def test_no_part_of_a_file_is_judged_for_the_whole(text: str, kind: str, said: str, sandbox: Sandbox) -> None:
    got = report(text, sandbox)
    assert got.error is not None
    assert (got.verdict, got.error.kind) == ("error", kind)
    assert said in got.error.message


def test_variants_one_by_one_are_those_computed_whole() -> None:
    rng = np.random.default_rng(3)
    q, k, v = (rng.normal(size=(2, 3, s, 4)) for s in (5, 7, 7))
    case = AttentionInputs(q=q, k=k, v=v)
    one_by_one = {next(iter(c.items())): out for c, out in ATTENTION.singles(case.fresh(), ATTENTION.wrong(), {})}
    assert len(one_by_one) > 20
    for (stage, name), out in one_by_one.items():
        np.testing.assert_array_equal(out, ATTENTION.evaluate(case.fresh(), {stage: name}))


def test_a_text_that_refuses_floating_masks_does_not_promise_them() -> None:
    for text in ("additive masks are not supported", "no additive mask", "不接受 additive mask", "非加性掩码"):
        assert not states_additive(text)
    for text in ("a floating mask is added to the scores", "boolean or additive mask", "掩码加到分数上"):
        assert states_additive(text)


def test_a_range_of_positions_says_nothing_of_a_mask() -> None:
    assert stated_polarity("only keep the positions from 0 to time2") is None
    assert stated_polarity("mask: 0 to drop a position, 1 to keep it") == "keep"
