"""The two seed articles' attentions as a candidate types them, and the commonest mistakes put into each."""

from __future__ import annotations

import pytest

from interview_coach.grading.engine import grade
from interview_coach.grading.sandbox import Sandbox

MODULE = '''
import math

import torch
import torch.nn as nn


class ScaledDotProductAttention(nn.Module):
    """Whiteboard version. mask: 1 = keep, 0 = masked."""

    def __init__(self, d_k=64):
        super().__init__()
        self.scale = 1.0 / math.sqrt(d_k)

    def forward(self, Q, K, V, mask=None):
        scores = torch.matmul(Q, K.transpose(-2, -1))
        scores = scores * self.scale
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        attn_weights = torch.softmax(scores, dim=-1)
        output = torch.matmul(attn_weights, V)
        return output, attn_weights
'''

FUNCTION = """
import math

import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    # mask: 1 表示保留, 0 表示屏蔽
    d_k = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attn_weights = torch.softmax(scores, dim=-1)
    return torch.matmul(attn_weights, V)
"""

# What is replaced, by what, and the names that are right for it.
MODULE_MISTAKES = {
    "no scale": ("scores = scores * self.scale", "pass", {"missing-scale"}),
    "scaled by d": ("1.0 / math.sqrt(d_k)", "1.0 / d_k", {"scale-by-d", "scale-twice"}),
    "scaled up": ("1.0 / math.sqrt(d_k)", "math.sqrt(d_k)", {"scale-inverted"}),
    "scale of the default": ("math.sqrt(d_k)", "math.sqrt(64)", {"scale-hard-coded"}),
    "softmax over queries": ("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-2)", {"softmax-wrong-axis"}),
    "softmax over heads": ("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=1)", {"softmax-wrong-axis"}),
    "mask turned round": ("mask == 0", "mask == 1", {"mask-inverted"}),
    "mask dropped": ("scores = scores.masked_fill(", "scores.masked_fill(", {"mask-ignored"}),
    "masked with zero": (
        'scores.masked_fill(mask == 0, float("-inf"))',
        "scores * mask",
        {"mask-multiplied", "mask-filled-with-zero", "mask-fill-tiny"},
    ),
    "keys for values": ("torch.matmul(attn_weights, V)", "torch.matmul(attn_weights, K)", {"values-keys-swapped", "projection-reused"}),
    "no softmax": ("torch.softmax(scores, dim=-1)", "scores", {"softmax-missing"}),
    "softmax twice": ("torch.softmax(scores, dim=-1)", "torch.softmax(torch.softmax(scores, -1), -1)", {"double-softmax"}),
}  # fmt: skip
FUNCTION_MISTAKES = {
    "no scale": (" / math.sqrt(d_k)", "", {"missing-scale"}),
    "scaled by d": ("math.sqrt(d_k)", "d_k", {"scale-by-d", "scale-twice"}),
    "scaled by log d": ("math.sqrt(d_k)", "math.log(d_k)", {"scale-by-log-d"}),
    "root of the length": ("math.sqrt(d_k)", "math.sqrt(K.size(-2))", {"scale-from-length"}),
    "softmax over the batch": ("dim=-1", "dim=0", {"softmax-wrong-axis"}),
    "sigmoid": ("torch.softmax(scores, dim=-1)", "torch.sigmoid(scores)", {"sigmoid-for-softmax"}),
    "mask turned round": ("mask == 0", "mask != 0", {"mask-inverted"}),
    "weak fill": ("-1e9", "-10.0", {"mask-fill-weak"}),
    "positive fill": ("-1e9", "1e9", {"mask-fill-positive"}),
    "masked after the softmax": (
        "    return torch.matmul(attn_weights, V)",
        "    if mask is not None:\n        attn_weights = attn_weights * (mask != 0)\n    return torch.matmul(attn_weights, V)",
        {"mask-fill-overflows-half"},
    ),
    "only masked after": (
        "        scores = scores.masked_fill(mask == 0, -1e9)\n    attn_weights = torch.softmax(scores, dim=-1)\n",
        "        pass\n    attn_weights = torch.softmax(scores, dim=-1)\n    if mask is not None:\n        attn_weights = attn_weights * mask\n",
        {"mask-after-softmax"},
    ),
    "scaled after the softmax": (
        " / math.sqrt(d_k)\n", "\n", {"missing-scale"},
    ),
    "detached": ("    return torch.matmul(attn_weights, V)", "    return torch.matmul(attn_weights, V).detach()", {"gradient-detached"}),
}  # fmt: skip


def test_the_module_is_right(sandbox: Sandbox) -> None:
    report = grade("module.py", text=MODULE, sandbox=sandbox, seed=1)
    assert (report.verdict, report.correct, report.stable) == ("pass", True, True)
    assert report.contract is not None
    assert (report.contract.mask, report.contract.returns) == ("keep", "(output, …)")
    assert report.exercise == "sdpa"


def test_the_function_is_correct_but_raises_in_half_precision(sandbox: Sandbox) -> None:
    report = grade("function.py", text=FUNCTION, sandbox=sandbox, seed=1)
    assert (report.verdict, report.correct, report.stable) == ("fail", True, False)
    assert [d.code for d in report.diagnosis] == ["mask-fill-overflows-half"]
    assert report.diagnosis[0].line == 12
    assert report.headline().startswith("correct, not stable in fp16")


@pytest.mark.parametrize("name", MODULE_MISTAKES)
def test_a_mistake_in_the_module_is_named(name: str, sandbox: Sandbox) -> None:
    old, new, codes = MODULE_MISTAKES[name]
    assert old in MODULE
    report = grade("module.py", text=MODULE.replace(old, new), sandbox=sandbox, seed=1)
    assert report.verdict == "fail"
    assert report.correct is False
    assert report.diagnosis
    assert report.diagnosis[0].code in codes


@pytest.mark.parametrize("name", FUNCTION_MISTAKES)
def test_a_mistake_in_the_function_is_named(name: str, sandbox: Sandbox) -> None:
    old, new, codes = FUNCTION_MISTAKES[name]
    assert old in FUNCTION
    report = grade("function.py", text=FUNCTION.replace(old, new), sandbox=sandbox, seed=1)
    assert report.verdict == "fail"
    assert report.diagnosis
    assert report.diagnosis[0].code in codes
