"""Softmax and attention in one pass over blocks (Milakov & Gimelshein 2018; Dao et al. 2022, algorithm 1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import Array, normal, softmax
from interview_coach.page import Page
from interview_coach.text import Text

N, D = 256, 64
BLOCKS = (1, 32, 100, 256)


def attend(q: Array, k: Array, v: Array, block: int) -> tuple[Array, Array]:
    """Output and log-sum-exp of each row, from one pass over blocks of keys, with a running maximum and sum."""
    m = np.full((len(q), 1), -np.inf)
    total = np.zeros((len(q), 1))
    out = np.zeros((len(q), v.shape[-1]))
    for j in range(0, len(k), block):
        s = q @ k[j : j + block].T / np.sqrt(q.shape[-1])
        higher = np.maximum(m, s.max(-1, keepdims=True))
        rescale, p = np.exp(m - higher), np.exp(s - higher)
        total = total * rescale + p.sum(-1, keepdims=True)
        out = out * rescale + p @ v[j : j + block]
        m = higher
    return out / total, m + np.log(total)


@cache
def measure() -> Mapping[str, float]:
    """Largest difference from the two-pass result for several blocks, and of two halves merged."""
    q, k, v = normal(np.random.default_rng(8), 3, N, D)
    logits = q @ k.T / np.sqrt(D)
    exact = softmax(logits) @ v
    values: dict[str, float] = {"n": N, "d": D, "extra_numbers_per_row": 2}
    for block in BLOCKS:
        values[f"block{block}.max_error"] = float(np.abs(attend(q, k, v, block)[0] - exact).max())
    half = N // 2
    (a, lse_a), (b, lse_b) = attend(q, k[:half], v[:half], 32), attend(q, k[half:], v[half:], 32)
    lse = np.logaddexp(lse_a, lse_b)
    merged = np.exp(lse_a - lse) * a + np.exp(lse_b - lse) * b
    values["merge.max_error"] = float(np.abs(merged - exact).max())
    values["merge.without_lse.max_error"] = float(np.abs((a + b) / 2 - exact).max())
    stale = np.array([0.0])
    rising = np.linspace(0, 900, 10)
    with np.errstate(over="ignore"):
        values["first_maximum_only.is_inf"] = float(np.isinf(np.exp(rising - stale).sum()))
    return values


def body(page: Page) -> None:
    """Errors by block size, then merging."""
    v = measure()
    page.table(
        [Text("block", "分块大小"), Text("largest difference", "最大差异")],
        [[str(block), f"{v[f'block{block}.max_error']:.0e}"] for block in BLOCKS],
    )
    page.say(
        Text(
            "m' = max(m, s), ℓ' = ℓ·e^(m−m') + Σe^(s−m'), O' = O·e^(m−m') + Σe^(s−m')·v: exact up to rounding, "
            "for any block. Two "
            f"partial results over disjoint keys merge by their log-sum-exp ({v['merge.max_error']:.0e}); their "
            "plain mean is "
            f"off by {v['merge.without_lse.max_error']:.2f}. Ring attention and split-k decoding use that rule.",
            "m' = max(m, s)，ℓ' = ℓ·e^(m−m') + Σe^(s−m')，O' = O·e^(m−m') + Σe^(s−m')·v：无论怎么分块，"
            "除舍入外都是精确的。"
            f"两段互不相交的 key 的结果可以用 log-sum-exp 合并（{v['merge.max_error']:.0e}）；"
            f"直接取平均会差 {v['merge.without_lse.max_error']:.2f}。"
            "ring attention 和 split-k 解码用的就是这条规则。",
        )
    )


LAB = Lab(
    id="online-softmax",
    title=Text("Online softmax is exact", "online softmax 是精确的"),
    summary=Text(
        f"{N} queries and keys of dimension {D} in float64; keys arrive in blocks and are seen once.",
        f"{N} 个 query 和 key，维度 {D}，float64；key 按块到来，只看一遍。",
    ),
    values=measure,
    body=body,
    questions=("flash-attention",),
)
