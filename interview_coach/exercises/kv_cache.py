"""Causal attention that keeps its keys and values (Vaswani et al. 2017, section 3.2.3, for the mask)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: kv-cache
from typing import Any

import torch
from torch import nn


class CachedAttention(nn.Module):
    """Causal multi-head self-attention that keeps the keys and values of earlier calls.

    forward(x, cache=None): x (B, T, d_model), the next T >= 1 tokens of each sequence; cache is None at the beginning, then
    what the call before returned, of whatever type you like; it may be changed in place.
    Returns (out, cache): out (B, T, d_model). A prefill and chunks of any length, put together, equal one causal pass:
    token i of a chunk that comes after s others sees the first s + i + 1 tokens.
    Scale: 1 / sqrt(d_model / n_heads). It is graded with its own weights, whatever they are called.
    """

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor, cache: Any = None) -> tuple[torch.Tensor, Any]:
        raise NotImplementedError
'''

EXERCISE = Exercise(
    id="kv-cache",
    title=Text("Causal attention with a KV cache", "带 KV cache 的因果注意力"),
    stub=STUB,
    hints=(
        Text(
            "Which tensors of the past does a new token need? At which position does the first token of a chunk stand, and how "
            "many keys may it see?",
            "新 token 需要过去的哪些张量？一个 chunk 的第一个 token 位于哪个位置，能看到多少个 key？",
        ),
        Text(
            "Append the new k and v along the sequence axis before attending. With s tokens in the cache the scores are "
            "(T, s + T), and token i sees keys j <= s + i: everything in the cache, and its own chunk causally.",
            "先把新的 k、v 沿序列维接到缓存后面，再做注意力。缓存里有 s 个 token 时打分是 (T, s + T)，第 i 个 token 能看到 j <= s + i："
            "缓存全部可见，本 chunk 内部仍是因果的。",
        ),
        Text(
            "s = 0 if cache is None else cache[0].size(2); k, v = (torch.cat((old, new), 2) for each); keep = "
            "torch.ones(T, s + T, dtype=torch.bool).tril(diagonal=s); softmax of the kept scores, times v; return out, (k, v).",
            "s = 0（没有 cache 时），否则 cache[0].size(2)；k、v 各自 torch.cat((旧, 新), 2)；keep = "
            "torch.ones(T, s + T, dtype=torch.bool).tril(diagonal=s)；对保留的打分做 softmax，再乘 v；返回 out, (k, v)。",
        ),
    ),
    questions=("kv-cache-what-why", "prefill-vs-decode", "causal-alignment", "kv-cache-memory"),
    family="cached",
    names=r"(?!(kv|dynamic|static|layer|past|rolling|simple|attention|attn)*cache$)(?!.*paged).*(cache|caching|incremental|withpast).*",
    first_hint={
        "cache-stale": 1,
        "cache-offset": 2,
        "cache-chunk-not-causal": 2,
        "causal-": 2,
        "crashes-on-shape": 2,
        "values-keys-swapped": 2,
        "scale-": 3,
        "missing-scale": 3,
    },
    causal=True,
    order=6,
)
