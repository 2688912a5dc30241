"""The variance of a dot product (Vaswani et al. 2017, footnote 4)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.page import Page
from interview_coach.text import Text

ROWS = 800
PAIRS = 4000
DIMS = (16, 64, 128, 256, 512, 1024)
RHO = 0.3


@cache
def measure() -> Mapping[str, float]:
    """Moments of q·k over 640 000 pairs a dimension, of one product, and of correlated q and k."""
    rng = np.random.default_rng(1)
    values: dict[str, float] = {"pairs": ROWS * ROWS}
    for d in DIMS:
        q, k = rng.standard_normal((2, ROWS, d), dtype=np.float32)
        dots = q @ k.T
        variance = float(dots.var(dtype=np.float64))
        low, high = np.quantile(dots[::8], (0.001, 0.999))
        values |= {
            f"raw.d{d}.mean": float(dots.mean(dtype=np.float64)),
            f"raw.d{d}.var": variance,
            f"raw.d{d}.std": math.sqrt(variance),
            f"raw.d{d}.three_std": 3 * math.sqrt(d),
            f"raw.d{d}.within_three_std": float((np.abs(dots) <= 3 * math.sqrt(d)).mean()),
            f"raw.d{d}.q001": float(low),
            f"raw.d{d}.q999": float(high),
            f"raw.d{d}.max": float(np.abs(dots).max()),
            f"scaled.d{d}.var": variance / d,
            f"scaled.d{d}.std": math.sqrt(variance / d),
            f"inv_d.d{d}.var": variance / d**2,
            f"inv_d.d{d}.std": math.sqrt(variance) / d,
            f"log_d.d{d}.var": variance / math.log(d) ** 2,
        }
    for d in (64, 256, 1024):
        q, noise = rng.standard_normal((2, PAIRS, d), dtype=np.float32)
        aligned = (q * (RHO * q + math.sqrt(1 - RHO**2) * noise)).sum(-1)
        values[f"correlated.d{d}.mean"] = float(aligned.mean(dtype=np.float64))
        values[f"correlated.d{d}.var"] = float(aligned.var(dtype=np.float64))
        values[f"correlated.d{d}.theory_mean"] = RHO * d
        values[f"correlated.d{d}.theory_var"] = d * (1 + RHO**2)
    size = 200_000
    root3 = math.sqrt(3)
    draws = {
        "normal": rng.standard_normal((2, size)),
        "uniform": rng.uniform(-root3, root3, (2, size)),
        "sign": rng.choice([-1.0, 1.0], (2, size)),
        "mean_half": 0.5 + rng.standard_normal((2, size)),
    }
    for name, (x, y) in draws.items():
        values[f"product.{name}.var"] = float((x * y).var())
    return values


def body(page: Page) -> None:
    """Variances by dimension, then what the derivation needs and what it does not."""
    v = measure()
    page.table(
        ["d_k", "Var(q·k)", Text("std", "标准差"), "|q·k| ≤ 3√d_k", Text("largest |q·k|", "最大 |q·k|")],
        [
            [
                str(d),
                f"{v[f'raw.d{d}.var']:.1f}",
                f"{v[f'raw.d{d}.std']:.2f}",
                f"{v[f'raw.d{d}.within_three_std']:.2%}",
                f"{v[f'raw.d{d}.max']:.0f}",
            ]
            for d in DIMS
        ],
    )
    page.table(
        [Text("variance of", "方差"), "q·k / √d_k", "q·k / d_k", "q·k / ln d_k"],
        [[f"d_k = {d}", *(f"{v[f'{scale}.d{d}.var']:.4g}" for scale in ("scaled", "inv_d", "log_d"))] for d in DIMS],
    )
    page.table(
        [Text("one product x·y, unit variances", "单个乘积 x·y，方差均为 1"), Text("variance", "方差")],
        [
            [name, f"{v[f'product.{key}.var']:.3f}"]
            for key, name in {
                "normal": Text("normal", "正态分布"),
                "uniform": Text("uniform", "均匀分布"),
                "sign": Text("±1", "±1"),
                "mean_half": Text("normal with mean 0.5", "均值为 0.5 的正态分布"),
            }.items()
        ],
    )
    page.say(
        Text(
            "Independence, mean 0 and variance 1 give Var(q·k) = d_k, whatever the distribution; a mean of 0.5 "
            "already "
            f"gives 1.5 a term. With a correlation of {RHO} a coordinate the mean itself grows as "
            f"{RHO}·d_k ({v['correlated.d64.mean']:.1f} at 64): the square root is an argument about initialisation.",
            "独立、均值 0、方差 1 即可推出 Var(q·k) = d_k，与分布无关；"
            "若均值为 0.5，每一项的方差就变成 1.5。"
            f"若 q、k 每个分量的相关系数为 {RHO}，均值本身按 {RHO}·d_k 增长"
            f"（d_k = 64 时为 {v['correlated.d64.mean']:.1f}）：√d_k 是关于初始化的论证。",
        )
    )


LAB = Lab(
    id="variance",
    title=Text("Variance of q·k", "q·k 的方差"),
    summary=Text(
        f"Dot products of {ROWS} queries with {ROWS} keys, entries independent, mean 0, variance 1.",
        f"{ROWS} 个 query 与 {ROWS} 个 key 的点积，各分量独立、均值 0、方差 1。",
    ),
    values=measure,
    body=body,
    questions=("why-sqrt-dk", "scale-per-head", "why-not-dk-or-log-dk"),
)
