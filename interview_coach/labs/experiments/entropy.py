"""How sharp attention is at initialisation, by head dimension and by scale (Vaswani et al. 2017, footnote 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import dots, entropy
from interview_coach.page import Page
from interview_coach.text import Text

N = 100
SEEDS = 48
DIMS = (16, 64, 256, 1024)
SCALES: Mapping[str, tuple[Callable[[int], float], Text]] = {
    "scaled": (lambda d: 1 / math.sqrt(d), Text("1/√d_k", "1/√d_k")),
    "raw": (lambda d: 1.0, Text("no scale", "不缩放")),
    "inv_d": (lambda d: 1 / d, Text("1/d_k", "1/d_k")),
    "log_d": (lambda d: 1 / math.log(d), Text("1/ln d_k", "1/ln d_k")),
}


@cache
def measure() -> Mapping[str, float]:
    """Mean, spread and range over seeds of the mean row entropy, and the mean of the largest weight of a row."""
    values: dict[str, float] = {"n": N, "seeds": SEEDS, "ln_n": math.log(N), "gaussian_estimate": math.log(N) - 0.5}
    for d in DIMS:
        factors = np.array([scale(d) for scale, _ in SCALES.values()], np.float32)
        h, top = np.empty((SEEDS, len(SCALES))), np.empty((SEEDS, len(SCALES)))
        for seed in range(SEEDS):
            q, k = np.random.default_rng((3, d, seed)).standard_normal((2, N, d), dtype=np.float32)
            logits = dots(q, k) * factors[:, None, None]
            h[seed] = entropy(logits).mean(-1)
            # The largest weight of a row is exp(0) over the sum.
            top[seed] = (1 / np.exp(logits - logits.max(-1, keepdims=True)).sum(-1)).mean(-1)
        for i, name in enumerate(SCALES):
            key = f"{name}.d{d}"
            values[f"{key}.mean"] = float(h[:, i].mean())
            values[f"{key}.std"] = float(h[:, i].std(ddof=1))
            values[f"{key}.min"] = float(h[:, i].min())
            values[f"{key}.max"] = float(h[:, i].max())
            values[f"{key}.max_weight"] = float(top[:, i].mean())
    return values


def body(page: Page) -> None:
    """The table of entropies, the largest weights, and the chart."""
    v = measure()
    names = [name for _, name in SCALES.values()]
    rows = [
        [str(d), *(f"{v[f'{scale}.d{d}.mean']:.3f} ±{v[f'{scale}.d{d}.std']:.3f}" for scale in SCALES)] for d in DIMS
    ]
    page.table([Text("d_k", "d_k"), *names], rows)
    page.say(
        Text(
            f"Entropy in nats, mean ± standard deviation over {SEEDS} seeds. A uniform row: ln {N} = {v['ln_n']:.3f}.",
            f"熵的单位是 nat，数值为 {SEEDS} 个随机种子的均值 ± 标准差；ln {N} = {v['ln_n']:.3f} 对应均匀分布。",
        )
    )
    page.chart(
        {scale: [v[f"{scale}.d{d}.mean"] for d in DIMS] for scale in SCALES},
        [str(d) for d in DIMS],
        {scale: name for scale, (_, name) in SCALES.items()},
    )
    page.table(
        [Text("largest weight", "最大权重"), *(f"d_k={d}" for d in DIMS)],
        [[name, *(f"{v[f'{scale}.d{d}.max_weight']:.3f}" for d in DIMS)] for scale, (_, name) in SCALES.items()],
    )
    page.say(
        Text(
            "With 1/√d_k the entropy is the same for every head size, about ln n − 1/2: the logits have variance 1. "
            "Unscaled it falls as d_k grows. 1/d_k is close to uniform at initialisation, and 1/ln d_k still "
            "sharpens "
            "with d_k.",
            "用 1/√d_k 时，logits 的方差为 1，熵约为 ln n − 1/2，与头维度无关。不缩放时，d_k 越大熵越低。"
            "1/d_k 在初始化时接近均匀分布；1/ln d_k 仍会随 d_k 变尖。",
        )
    )


LAB = Lab(
    id="entropy",
    title=Text("Entropy of attention against d_k", "注意力熵与 d_k 的关系"),
    summary=Text(
        f"{N} queries and {N} keys with independent entries of mean 0 and variance 1. How sharp is the softmax of "
        "the "
        "scores under four scales?",
        f"{N} 个 query 和 {N} 个 key，各分量独立、均值 0、方差 1。四种缩放方式下，分数的 softmax 有多尖锐？",
    ),
    values=measure,
    body=body,
    questions=("why-sqrt-dk", "why-not-dk-or-log-dk"),
)
