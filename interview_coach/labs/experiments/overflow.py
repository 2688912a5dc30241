"""Where Q·Kᵀ overflows in fp16, and which remedies help."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import Array, bfloat16, normal
from interview_coach.page import Page
from interview_coach.text import Text

ROWS = 256
CASES = ((64, 1), (64, 10), (64, 45), (64, 60), (128, 45), (128, 60))
WAYS: Mapping[str, Text] = {
    "inf_share": Text("fp16, scaled after the product", "fp16，乘积之后再缩放"),
    "scale_first": Text("fp16, q/√d_k first", "fp16，先算 q/√d_k 再相乘"),
    "split_scale": Text("fp16, q and k by d_k^-1/4 each", "fp16，q、k 各乘 d_k^-1/4"),
    "fp32": Text("fp32 product", "fp32 乘积"),
    "cast_back": Text("fp32, cast back before scaling", "fp32 乘积，缩放前转回 fp16"),
    "bf16": Text("bf16", "bf16"),
}


def half(x: Array) -> Array:
    """``x`` rounded to fp16, held as float32."""
    with np.errstate(over="ignore"):
        return x.astype(np.float16).astype(np.float32)


def inf_share(x: Array) -> float:
    """Share of infinite entries."""
    return float(np.isinf(x).mean())


@cache
def measure() -> Mapping[str, float]:
    """Share of infinite scores for each remedy, rows lost to NaN, largest error of a scaled logit.

    Sums are taken in fp32, as tensor cores do, then rounded. Only +inf makes a row NaN: −inf has the weight 0.
    """
    values: dict[str, float] = {"pairs": ROWS * ROWS, "limit": 65504}
    for d, rms in CASES:
        key = f"d{d}.rms{rms}"
        q, k = normal(np.random.default_rng((5, d)), 2, ROWS, d) * rms
        exact = q @ k.T
        late = half(half(q) @ half(k).T)
        early = half(half(half(q) / np.float32(math.sqrt(d))) @ half(k).T)
        quarter = np.float32(d**-0.25)
        split = half(half(half(q) * quarter) @ half(half(k) * quarter).T)
        wide = bfloat16(bfloat16(q) @ bfloat16(k).T)
        values |= {
            f"inf_share.{key}": inf_share(late),
            f"nan_rows.{key}": float(np.isposinf(late).any(-1).mean()),
            f"scale_first.{key}": inf_share(early),
            f"split_scale.{key}": inf_share(split),
            f"fp32.{key}": inf_share(exact.astype(np.float32)),
            f"cast_back.{key}": inf_share(half(exact.astype(np.float32))),
            f"bf16.{key}": inf_share(wide),
            f"max_dot.{key}": float(np.abs(exact).max()),
        }
        finite = np.isfinite(late)
        values[f"error.fp16.{key}"] = float(np.abs(late - exact)[finite].max()) / math.sqrt(d)
        values[f"error.bf16.{key}"] = float(np.abs(wide - exact).max()) / math.sqrt(d)
    for d in (64, 128):
        values[f"aligned.d{d}.rms"] = math.sqrt(65504 / d)
    values["outlier_channel.dot"] = 260.0 * 260.0
    return values


def body(page: Page) -> None:
    """Shares of inf by remedy, and the price of bf16."""
    v = measure()
    strong = CASES[2:]
    rows: list[list[Text | str]] = [
        [name, *(f"{v[f'{way}.d{d}.rms{rms}']:.2%}" for d, rms in strong)] for way, name in WAYS.items()
    ]
    nan = Text("rows with +inf, so NaN", "含 +inf 而变成 NaN 的行")
    rows.append([nan, *(f"{v[f'nan_rows.d{d}.rms{rms}']:.2%}" for d, rms in strong)])
    page.table([Text("share of inf", "inf 的比例"), *(f"d{d} rms {rms}" for d, rms in strong)], rows)
    page.say(
        Text(
            f"Unit-variance q and k never overflow: the largest of {ROWS * ROWS} dot products is "
            f"{v['max_dot.d64.rms1']:.0f}, the limit is 65504. It takes large activations: q = k overflows from an "
            "rms of "
            f"{v['aligned.d64.rms']:.1f} (d = 64), one channel of 260 in both is enough. Scaling q before the "
            "product costs "
            "nothing; a cast back to fp16 before scaling undoes the fp32 product. At rms 45 the largest error of a "
            f"scaled logit is "
            f"{v['error.fp16.d64.rms45']:.1f} in fp16 and {v['error.bf16.d64.rms45']:.0f} in bf16.",
            f"单位方差的 q、k 不会溢出：{ROWS * ROWS} 个点积里最大的是 {v['max_dot.d64.rms1']:.0f}，上限是 65504。"
            f"溢出需要很大的激活值：q = k 时 rms 达到 {v['aligned.d64.rms']:.1f}（d = 64），"
            "或者 q、k 同一通道都是 260。"
            "在相乘之前缩放 q 没有代价；fp32 乘积若在缩放前转回 fp16，等于白做。"
            f"rms 为 45 时，缩放后 logit 的最大误差 fp16 为 {v['error.fp16.d64.rms45']:.1f}，bf16 为 "
            f"{v['error.bf16.d64.rms45']:.0f}。",
        )
    )


LAB = Lab(
    id="overflow",
    title=Text("Overflow of Q·Kᵀ in fp16", "fp16 下 Q·Kᵀ 的溢出"),
    summary=Text(
        f"{ROWS} × {ROWS} dot products of independent q and k with a given root mean square.",
        f"{ROWS} × {ROWS} 个点积，q、k 独立，均方根（rms）给定。",
    ),
    values=measure,
    body=body,
    questions=("fp16-overflow-bf16",),
)
