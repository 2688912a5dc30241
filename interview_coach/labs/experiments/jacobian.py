"""The Jacobian of softmax, diag(p) − p pᵀ, against the spread of the logits (Dao 2023, section 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import Array, normal, softmax
from interview_coach.page import Page
from interview_coach.text import Text

N = 100
ROWS = 1000
STDS = (0.125, 1, 4, 8, 16, 32)
# Number of keys: sets of keys drawn, queries on each set.
KEYS = {2: (3000, 1), 10: (1000, 2), 100: (50, 30), 1000: (5, 200), 4096: (2, 200)}


def frobenius(p: Array) -> Array:
    """Frobenius norm of diag(p) − p pᵀ for each row of ``p``: √(Σp² − 2Σp³ + (Σp²)²), without the n × n matrix."""
    square = (p**2).sum(-1)
    norm: Array = np.sqrt(np.maximum(square - 2 * (p**3).sum(-1) + square**2, 0))
    return norm


@cache
def measure() -> Mapping[str, float]:
    """Norms by the standard deviation of the logits; saturation of unscaled attention by the number of keys."""
    values: dict[str, float] = {"n": N, "rows": ROWS}
    rng = np.random.default_rng(2)
    for std in STDS:
        p = softmax(normal(rng, ROWS, N) * std)
        norm = frobenius(p)
        values |= {
            f"std{std}.mean_norm": float(norm.mean()),
            f"std{std}.median_norm": float(np.median(norm)),
            f"std{std}.saturated": float((p.max(-1) > 0.99).mean()),
        }
    for n, (sets, queries) in KEYS.items():
        top = softmax(normal(rng, sets, queries, 64) @ normal(rng, sets, n, 64).mT).max(-1)
        values[f"keys{n}.max_weight"] = float(top.mean())
        values[f"keys{n}.saturated"] = float((top > 0.99).mean())
    p = softmax(np.stack([np.linspace(-8, 8, 1601), np.zeros(1601)], -1))
    slope = p[:, 0] * p[:, 1]
    # The 2 × 2 Jacobian is p(1−p) [[1, −1], [−1, 1]], whose eigenvalues are 0 and 2p(1−p).
    values |= {"two_way.max_entry": float(slope.max()), "two_way.max_spectral_norm": float(2 * slope.max())}
    values["peaked.slope"] = 0.99 * 0.01
    return values


def body(page: Page) -> None:
    """The norm rises, then falls; how many rows saturate depends on the number of keys."""
    v = measure()
    page.table(
        [
            Text("std of the logits", "logits 标准差"),
            Text("mean ‖J‖", "‖J‖ 均值"),
            Text("median ‖J‖", "‖J‖ 中位数"),
            Text("rows with max > .99", "最大权重 > .99 的行"),
        ],
        [
            [
                str(std),
                f"{v[f'std{std}.mean_norm']:.3f}",
                f"{v[f'std{std}.median_norm']:.1e}",
                f"{v[f'std{std}.saturated']:.0%}",
            ]
            for std in STDS
        ],
    )
    page.table(
        [
            Text("keys (d_k = 64, no scale)", "key 的个数（d_k = 64，不缩放）"),
            Text("mean largest weight", "最大权重均值"),
            Text("rows with max > .99", "最大权重 > .99 的行"),
        ],
        [[str(n), f"{v[f'keys{n}.max_weight']:.3f}", f"{v[f'keys{n}.saturated']:.0%}"] for n in KEYS],
    )
    page.say(
        Text(
            "The mean norm is not monotone: at std 8, which is unscaled d_k = 64, it is larger than at std 1. What "
            "happens is that part of the rows saturate and the gradient sits in few entries. No entry of J "
            "exceeds 1/4.",
            "‖J‖ 的均值并不单调：标准差为 8（即不缩放的 d_k = 64）时比标准差为 1 时更大。"
            "真正发生的是：一部分行饱和，梯度集中在少数元素上。J 的元素不会超过 1/4。",
        )
    )


LAB = Lab(
    id="jacobian",
    title=Text("Jacobian of softmax and saturation", "softmax 的 Jacobian 与饱和"),
    summary=Text(
        f"Frobenius norm of J = diag(p) − ppᵀ for rows of {N} logits of growing spread, and the share "
        "of saturated rows.",
        f"{N} 个 logits 的标准差逐步增大时 J = diag(p) − ppᵀ 的 Frobenius 范数，以及饱和行的比例。",
    ),
    values=measure,
    body=body,
    questions=("why-sqrt-dk",),
)
