"""Rotary positions depend on the offset only (Su et al. 2021); slopes of ALiBi (Press et al. 2022)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import Array, normal
from interview_coach.page import Page
from interview_coach.text import Text

D, HEADS = 64, 8


def rotate(x: Array, position: float, base: float = 10_000.0) -> Array:
    """``x`` with the pairs (x[i], x[i + d/2]) turned by position · base^(−2i/d)."""
    angle = position * base ** (-2 * np.arange(D // 2) / D)
    a, b = x[: D // 2], x[D // 2 :]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)])


@cache
def measure() -> Mapping[str, float]:
    """Scores at two places with the same offset, norms, and the slopes of 8 heads."""
    q, k = normal(np.random.default_rng(15), 2, D)
    near, far = rotate(q, 5) @ rotate(k, 2), rotate(q, 1005) @ rotate(k, 1002)
    values = {
        "rope.score.near": float(near),
        "rope.score.far": float(far),
        "rope.same_offset.max_diff": float(abs(near - far)),
        "rope.norm_ratio": float(np.linalg.norm(rotate(q, 1005)) / np.linalg.norm(q)),
        "rope.other_offset.diff": float(abs(rotate(q, 5) @ rotate(k, 3) - near)),
    }
    values |= {f"alibi.h{HEADS}.slope{h + 1}": 2.0 ** (-8 * (h + 1) / HEADS) for h in range(HEADS)}
    return values


def body(page: Page) -> None:
    """RoPE, then ALiBi."""
    v = measure()
    page.table(
        [Text("positions of q and k", "q 与 k 的位置"), Text("score", "分数")],
        [["5, 2", f"{v['rope.score.near']:.12f}"], ["1005, 1002", f"{v['rope.score.far']:.12f}"]],
    )
    slopes = " ".join(f"{v[f'alibi.h{HEADS}.slope{h + 1}']:.4g}" for h in range(HEADS))
    page.say(
        Text(
            f"RoPE: the same offset gives the same score ({v['rope.same_offset.max_diff']:.0e}), and rotation "
            "keeps norms. "
            f"ALiBi subtracts slope · distance; {HEADS} heads have the slopes {slopes}.",
            f"RoPE：偏移相同则分数相同（{v['rope.same_offset.max_diff']:.0e}），旋转不改变范数。"
            f"ALiBi 减去斜率 · 距离；{HEADS} 个头的斜率为 {slopes}。",
        )
    )


LAB = Lab(
    id="positions",
    title=Text("Rotary positions and ALiBi", "旋转位置编码与 ALiBi"),
    summary=Text(
        f"One query and one key of dimension {D}, rotated to two places with the same offset.",
        f"一个 query 与一个 key，维度 {D}，旋转到两处偏移相同的位置。",
    ),
    values=measure,
    body=body,
)
