"""What the scale does to the gradients of attention: the typical entry, and the norm."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import dots, normal, softmax
from interview_coach.page import Page
from interview_coach.text import Text

N = 100
SEEDS = 12
DIMS = (16, 64, 256, 1024)
SCALES: Mapping[str, tuple[Callable[[int], float], Text]] = {
    "scaled": (lambda d: 1 / math.sqrt(d), Text("1/√d_k", "1/√d_k")),
    "raw": (lambda d: 1.0, Text("no scale", "不缩放")),
    "inv_d": (lambda d: 1 / d, Text("1/d_k", "1/d_k")),
    "log_d": (lambda d: 1 / math.log(d), Text("1/ln d_k", "1/ln d_k")),
}


@cache
def measure() -> Mapping[str, float]:
    """Norms of dS and dQ, median |dS| entry, and the share of Σ|dS| in its largest 1 % of entries, means over "
    "seeds."""
    values: dict[str, float] = {"n": N, "seeds": SEEDS}
    for d in DIMS:
        found: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in SCALES}
        for seed in range(SEEDS):
            q, k, v, d_out = normal(np.random.default_rng((d, seed)), 4, N, d)
            scores, dp, gram = dots(q, k), dots(d_out, v), dots(k, k)
            for name, (scale, _) in SCALES.items():
                p = softmax(scores * scale(d))
                ds = p * (dp - (p * dp).sum(-1, keepdims=True))
                middle, largest = N * N // 2, N * N - N * N // 100
                size = np.partition(np.abs(ds), (middle, largest), axis=None)
                top = float(size[largest:].sum() / size.sum())
                # ‖dS K‖² = tr(dS K Kᵀ dSᵀ): n × n matrices only, for any d.
                dq_norm = scale(d) * math.sqrt((dots(ds, gram) * ds).sum())
                found[name].append((float(np.linalg.norm(ds)), dq_norm, float(size[middle]), top))
        for name, rows in found.items():
            columns = ("ds_norm", "dq_norm", "ds_median", "top1_share")
            values |= {f"{name}.d{d}.{c}": float(m) for c, m in zip(columns, np.mean(rows, axis=0), strict=True)}
    return values


def body(page: Page) -> None:
    """One table a dimension."""
    v = measure()
    for d in DIMS:
        page.table(
            [
                f"d_k = {d}",
                "‖dS‖",
                "‖dQ‖",
                Text("median |dS_ij|", "|dS_ij| 中位数"),
                Text("|dS| in the top 1 %", "前 1% 元素占 |dS|"),
            ],
            [
                [
                    name,
                    f"{v[f'{key}.d{d}.ds_norm']:.1f}",
                    f"{v[f'{key}.d{d}.dq_norm']:.1f}",
                    f"{v[f'{key}.d{d}.ds_median']:.1e}",
                    f"{v[f'{key}.d{d}.top1_share']:.0%}",
                ]
                for key, (_, name) in SCALES.items()
            ],
        )
    page.say(
        Text(
            "Unscaled, the typical entry of dS vanishes and the norm does not: the gradient becomes sparse and "
            "spiky, "
            'and the one that reaches Q is larger, because the chain rule then has no factor 1/√d_k. "The '
            'gradient is zero" is wrong.',
            "不缩放时，dS 的典型元素趋近于 0，但范数并没有：梯度变得稀疏、尖锐；"
            "传到 Q 的梯度反而更大，因为链式法则里少了 1/√d_k 这个因子。"
            "说“梯度为零”是错的。",
        )
    )


LAB = Lab(
    id="gradients",
    title=Text("Gradients of attention under four scales", "四种缩放下注意力的梯度"),
    summary=Text(
        f"{N} queries and keys, loss = ⟨O, G⟩ with a random G; dS is the gradient at the "
        f"softmax's input. Means over {SEEDS} seeds.",
        f"{N} 个 query 和 key，损失为 ⟨O, G⟩，G 随机；dS 是对 softmax 输入的梯度。{SEEDS} 个种子的均值。",
    ),
    values=measure,
    body=body,
    questions=("why-sqrt-dk", "softmax-backward"),
)
