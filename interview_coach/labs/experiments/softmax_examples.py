"""Softmax on a few numbers: soft and saturated rows, overflow, shift and scale."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import entropy, softmax
from interview_coach.page import Page
from interview_coach.text import Text

ROWS = {"soft": (2.0, 1.0, 0.5), "sharp": (20.0, 1.0, 0.5), "four": (2.0, 1.0, 0.5, 0.1)}


@cache
def measure() -> Mapping[str, float]:
    """Weights, entropy and Jacobian of each row; what naive exp does at 100; invariances."""
    values: dict[str, float] = {}
    for name, logits in ROWS.items():
        x = np.array(logits)
        p = softmax(x)
        jacobian = np.diag(p) - np.outer(p, p)
        values |= {f"{name}.p{i}": float(weight) for i, weight in enumerate(p)}
        values[f"{name}.entropy"] = float(entropy(x))
        values[f"{name}.entropy_share"] = float(entropy(x) / np.log(x.size))
        values[f"{name}.jacobian_norm"] = float(np.linalg.norm(jacobian))
        values[f"{name}.jacobian_max"] = float(np.abs(jacobian).max())
        values[f"{name}.fp16_zeros"] = float((p.astype(np.float16) == 0).sum())
    big = np.array([100.0, 99.0, 0.0], np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        naive = np.exp(big) / np.exp(big).sum()
    values["naive100.nan_count"] = float(np.isnan(naive).sum())
    values |= {f"stable100.p{i}": float(weight) for i, weight in enumerate(softmax(big))}
    x = big.astype(np.float64)
    values["shift1000.max_diff"] = float(np.abs(softmax(x + 1000) - softmax(x)).max())
    values["double.max_diff"] = float(
        np.abs(softmax(2 * np.array(ROWS["soft"])) - softmax(np.array(ROWS["soft"]))).max()
    )
    values["exp100"] = float(np.exp(100.0))
    return values


def body(page: Page) -> None:
    """The rows, then stability."""
    v = measure()
    page.table(
        ["", "softmax", Text("entropy", "熵"), "‖J‖", "max |J|"],
        [
            [
                "[" + ", ".join(f"{x:g}" for x in logits) + "]",
                " ".join(f"{v[f'{name}.p{i}']:.4g}" for i in range(len(logits))),
                f"{v[f'{name}.entropy']:.3g}",
                f"{v[f'{name}.jacobian_norm']:.2g}",
                f"{v[f'{name}.jacobian_max']:.2g}",
            ]
            for name, logits in ROWS.items()
        ],
    )
    page.say(
        Text(
            f"[2, 1, 0.5] is soft, not uniform: {v['soft.entropy_share']:.0%} of the largest entropy. The three "
            "weights sum to 1; "
            "weights that sum to less belong to a longer row.",
            f"[2, 1, 0.5] 只是比较平缓，并不均匀：熵是最大值的 {v['soft.entropy_share']:.0%}。"
            "三个权重之和为 1；和不到 1 的，是从更长的一行里截出来的。",
        )
    )
    page.say(
        Text(
            f"[100, 99, 0] in fp32: without subtracting the maximum {v['naive100.nan_count']:.0f} of 3 weights are "
            "NaN "
            f"(exp(100) = {v['exp100']:.2e}); with it {v['stable100.p0']:.3f}, {v['stable100.p1']:.3f}, 0. Adding "
            "1000 to all "
            f"logits changes nothing ({v['shift1000.max_diff']:.0e}); doubling them does "
            f"({v['double.max_diff']:.2f}).",
            f"fp32 下的 [100, 99, 0]：不减最大值时 3 个权重里有 {v['naive100.nan_count']:.0f} 个 NaN"
            f"（exp(100) = {v['exp100']:.2e}）；减去之后是 {v['stable100.p0']:.3f}、{v['stable100.p1']:.3f}、0。"
            f"所有 logits 加 1000，结果不变（{v['shift1000.max_diff']:.0e}）；"
            f"乘以 2 则会变（{v['double.max_diff']:.2f}）。",
        )
    )


LAB = Lab(
    id="softmax-examples",
    title=Text("Softmax on a few numbers", "几组数字的 softmax"),
    summary=Text(
        "Weights, entropy and Jacobian J = diag(p) − ppᵀ of single rows.",
        "单行 logits 的权重、熵和 Jacobian J = diag(p) − ppᵀ。",
    ),
    values=measure,
    body=body,
    questions=("why-subtract-max", "softmax-axis"),
)
