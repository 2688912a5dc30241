"""Correlated q and k: why muP divides by d (Yang et al. 2022, Tensor Programs V, definition 4.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.page import Page
from interview_coach.text import Text

RHO = 0.3
DIMS = (64, 256, 1024)
PAIRS = 4000


@cache
def measure() -> Mapping[str, float]:
    """Mean and spread of q·k for correlated and for independent entries, unscaled and under both scales."""
    rng = np.random.default_rng(14)
    values: dict[str, float] = {"rho": RHO, "pairs": PAIRS}
    for d in DIMS:
        q, noise = rng.standard_normal((2, PAIRS, d), dtype=np.float32)
        k = np.float32(RHO) * q + np.float32(math.sqrt(1 - RHO**2)) * noise
        for name, dots in (("correlated", (q * k).sum(-1)), ("independent", (q * noise).sum(-1))):
            mean, std = float(dots.mean()), float(dots.std())
            values |= {
                f"{name}.d{d}.mean": mean,
                f"{name}.d{d}.std": std,
                f"{name}.d{d}.sqrt_d.mean": mean / math.sqrt(d),
                f"{name}.d{d}.sqrt_d.std": std / math.sqrt(d),
                f"{name}.d{d}.inv_d.mean": mean / d,
                f"{name}.d{d}.inv_d.std": std / d,
            }
        # muP in practice multiplies by 8/d: at d = 64 this is 1/√d.
        values[f"mup_factor.d{d}"] = 8 / d
        values[f"sqrt_factor.d{d}"] = 1 / math.sqrt(d)
    return values


def body(page: Page) -> None:
    """Correlated entries under both scales."""
    v = measure()
    page.table(
        [
            "d",
            Text("mean q·k", "q·k 均值"),
            "q·k/√d",
            "q·k/d",
            Text("independent: std of q·k/√d", "独立时 q·k/√d 标准差"),
        ],
        [
            [
                str(d),
                f"{v[f'correlated.d{d}.mean']:.1f}",
                f"{v[f'correlated.d{d}.sqrt_d.mean']:.2f}",
                f"{v[f'correlated.d{d}.inv_d.mean']:.3f}",
                f"{v[f'independent.d{d}.sqrt_d.std']:.2f}",
            ]
            for d in DIMS
        ],
    )
    page.say(
        Text(
            f"With a correlation of {RHO} a coordinate q·k grows like d (law of large numbers), so 1/√d still "
            "grows with the width "
            "and 1/d does not. Independent entries grow like √d. √d_k fits initialisation, 1/d trained weights; "
            "practice takes "
            "8/d, which is 1/√d at d = 64. So √d_k is not the only right choice.",
            f"每个分量的相关系数为 {RHO} 时，q·k 按 d 增长（大数定律），"
            "除以 √d 后仍随宽度增长，除以 d 则不会。"
            "独立时按 √d 增长。√d_k 适合初始化，1/d 适合训练后的权重；"
            "实践中取 8/d，在 d = 64 时等于 1/√d。"
            "“√d_k 是唯一正确的选择”是错的。",
        )
    )


LAB = Lab(
    id="mup",
    title=Text("Correlated q and k: 1/√d or 1/d", "q、k 相关时：1/√d 还是 1/d"),
    summary=Text(
        f"{PAIRS} pairs of q and k; each coordinate of k has a correlation of {RHO} with that of q, as after training.",
        f"{PAIRS} 对 q、k；k 的每个分量与 q 对应分量的相关系数为 {RHO}，类似训练之后。",
    ),
    values=measure,
    body=body,
    questions=("why-not-dk-or-log-dk",),
)
