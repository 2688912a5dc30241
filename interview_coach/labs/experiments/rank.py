"""Ranks of the scores and of the weights; linear attention is another function (Katharopoulos et al. 2020)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import Array, normal, softmax
from interview_coach.page import Page
from interview_coach.text import Text

N, D = 200, 16
LINEAR_N, LINEAR_D = 400, 32


def feature(x: Array) -> Array:
    """elu(x) + 1."""
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


@cache
def measure() -> Mapping[str, float]:
    """Ranks, and linear attention against its quadratic order and against softmax."""
    rng = np.random.default_rng(12)
    q, k = normal(rng, 2, N, D)
    scores = q @ k.T
    values: dict[str, float] = {
        "n": N,
        "d": D,
        "scores.rank": float(np.linalg.matrix_rank(scores)),
        "softmax.rank": float(np.linalg.matrix_rank(softmax(scores / np.sqrt(D)))),
    }
    q, k, v = normal(rng, 3, LINEAR_N, LINEAR_D)
    weights = feature(q) @ feature(k).T
    quadratic = weights / weights.sum(-1, keepdims=True) @ v
    reordered = (feature(q) @ (feature(k).T @ v)) / (feature(q) @ feature(k).sum(0))[:, None]
    exact = softmax(q @ k.T / np.sqrt(LINEAR_D)) @ v
    values |= {
        "linear.reorder_max_error": float(np.abs(reordered - quadratic).max()),
        "linear.vs_softmax_max_diff": float(np.abs(reordered - exact).max()),
        "linear.flops": 4 * LINEAR_N * LINEAR_D**2,
        "linear.quadratic_flops": 4 * LINEAR_N**2 * LINEAR_D,
    }
    return values


def body(page: Page) -> None:
    """Ranks, then linear attention."""
    v = measure()
    page.table(
        [Text("matrix, 200 × 200", "矩阵，200 × 200"), Text("rank", "秩")],
        [["QKᵀ", f"{v['scores.rank']:.0f}"], ["softmax(QKᵀ/√d)", f"{v['softmax.rank']:.0f}"]],
    )
    page.say(
        Text(
            f"QKᵀ already has rank ≤ d_k = {D}; softmax is what makes it full. So Performer approximates the "
            "kernel exp(q·k), and "
            "Linformer projects along the sequence: neither factors QKᵀ.",
            f"QKᵀ 的秩本来就不超过 d_k = {D}，是 softmax 让它变成满秩。"
            "所以 Performer 近似的是核 exp(q·k)，Linformer 沿序列方向投影，"
            "并没有谁去“分解 QKᵀ”。",
        )
    )
    page.say(
        Text(
            "Linear attention with elu + 1: reordering (φ(Q)φ(K)ᵀ)V is exact "
            f"({v['linear.reorder_max_error']:.0e}) and takes {v['linear.flops']:,.0f} instead of "
            f"{v['linear.quadratic_flops']:,.0f} FLOPs at N = {LINEAR_N}, d = {LINEAR_D}; it differs from softmax "
            "attention by up "
            f"to {v['linear.vs_softmax_max_diff']:.2f}.",
            f"elu + 1 的线性注意力：改变 (φ(Q)φ(K)ᵀ)V 的乘法顺序是精确的（{v['linear.reorder_max_error']:.0e}），"
            f"N = {LINEAR_N}、d = {LINEAR_D} 时 FLOPs 从 {v['linear.quadratic_flops']:,.0f} "
            f"降到 {v['linear.flops']:,.0f}；"
            f"但它与 softmax 注意力不是同一个函数，最多差 {v['linear.vs_softmax_max_diff']:.2f}。",
        )
    )


LAB = Lab(
    id="rank",
    title=Text("Ranks, and linear attention", "秩与线性注意力"),
    summary=Text(
        f"{N} queries and keys of dimension {D}; linear attention on {LINEAR_N} tokens of dimension {LINEAR_D}.",
        f"{N} 个 query 和 key，维度 {D}；线性注意力用 {LINEAR_N} 个 token，维度 {LINEAR_D}。",
    ),
    values=measure,
    body=body,
    questions=("long-sequences",),
)
