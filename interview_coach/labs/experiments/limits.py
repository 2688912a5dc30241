"""Largest numbers, precision, and where exp leaves the range, for float16, bfloat16 and float32."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import bfloat16
from interview_coach.page import Page
from interview_coach.text import Text

FORMATS = ("fp16", "bf16", "fp32")
POINTS = (1, 16, 50, 100)


@cache
def measure() -> Mapping[str, float]:
    """Limits of the three formats, found by trying where that is possible."""
    half = np.finfo(np.float16)
    # bfloat16 has 8 significant bits and float32's exponents: (2 − 2⁻⁷)·2¹²⁷.
    greatest = {"fp16": float(half.max), "bf16": (2 - 2.0**-7) * 2.0**127, "fp32": float(np.finfo(np.float32).max)}
    values: dict[str, float] = {}
    for name, largest in greatest.items():
        values[f"{name}.max"] = largest
        values[f"{name}.exp_overflow"] = math.log(largest)
    values |= {"fp16.eps": float(half.eps), "bf16.eps": 2.0**-7, "fp32.eps": float(np.finfo(np.float32).eps)}
    values |= {"fp16.bits": 11, "bf16.bits": 8, "fp32.bits": 24, "fp16.min_subnormal": float(half.smallest_subnormal)}
    with np.errstate(over="ignore"):
        upward = np.arange(11, 11.2, 2**-7, dtype=np.float32).astype(np.float16)
        finite = np.isfinite(np.exp(upward))
        values["fp16.exp_last_finite"] = float(upward[finite][-1])
        values["fp16.exp_at_last_finite"] = float(np.exp(upward[finite][-1]))
        values["fp16.exp_first_inf"] = float(upward[~finite][0])
        values["fp16.exp100_is_inf"] = float(np.isinf(np.exp(np.float16(100))))
        values["fp32.exp100_is_inf"] = float(np.isinf(np.exp(np.float32(100))))
        values["bf16.exp100_is_inf"] = float(np.isinf(bfloat16(np.exp(np.full(1, 100, np.float32)))[0]))
    # Rounding to nearest sends everything below half of the smallest subnormal to 0.
    values["fp16.exp_underflow"] = math.log(float(half.smallest_subnormal) / 2)
    for point in POINTS:
        near = np.float32(point)
        values[f"fp16.step_at_{point}"] = float(np.nextafter(np.float16(point), np.float16(60000)) - np.float16(point))
        values[f"bf16.step_at_{point}"] = float(2.0 ** (math.floor(math.log2(near)) - 7))
    values["bf16.256_plus_1"] = float(bfloat16(np.array(256 + 1)))
    values["fp16.2048_plus_1"] = float(np.float16(2048) + np.float16(1))
    return values


def body(page: Page) -> None:
    """Range first, then precision."""
    v = measure()
    page.table(
        ["", Text("largest", "最大值"), "eps", Text("exp overflows above x =", "exp 溢出：x 大于")],
        [
            [name, f"{v[f'{name}.max']:.5g}", f"{v[f'{name}.eps']:.3g}", f"{v[f'{name}.exp_overflow']:.2f}"]
            for name in FORMATS
        ],
    )
    page.table(
        [Text("step between neighbours at", "相邻两数的间隔，在"), *(str(point) for point in POINTS)],
        [[name, *(f"{v[f'{name}.step_at_{point}']:.4g}" for point in POINTS)] for name in ("fp16", "bf16")],
    )
    page.say(
        Text(
            f"exp in fp16: last finite at {v['fp16.exp_last_finite']} ({v['fp16.exp_at_last_finite']:.0f}), inf at "
            f"{v['fp16.exp_first_inf']}; 0 below {v['fp16.exp_underflow']:.2f}. exp(100) is inf in all three "
            "formats. "
            f"256 + 1 = {v['bf16.256_plus_1']:.0f} in bf16 and 2048 + 1 = {v['fp16.2048_plus_1']:.0f} in fp16. "
            "bf16 buys range with precision: sums and the softmax stay in fp32.",
            f"fp16 的 exp：最后一个有限值在 {v['fp16.exp_last_finite']}（{v['fp16.exp_at_last_finite']:.0f}），"
            f"{v['fp16.exp_first_inf']} 处为 inf；低于 {v['fp16.exp_underflow']:.2f} 时为 0。"
            "exp(100) 在三种格式里都是 inf。"
            f"bf16 中 256 + 1 = {v['bf16.256_plus_1']:.0f}，fp16 中 2048 + 1 = {v['fp16.2048_plus_1']:.0f}。"
            "bf16 用精度换范围，求和与 softmax 仍用 fp32。",
        )
    )


LAB = Lab(
    id="limits",
    title=Text("Limits of fp16, bf16 and fp32", "fp16、bf16、fp32 的极限"),
    summary=Text(
        "The largest number, the spacing of numbers, and where exp overflows or underflows.",
        "最大值、数的间隔，以及 exp 在哪里上溢或下溢。",
    ),
    values=measure,
    body=body,
    questions=("fp16-overflow-bf16", "why-subtract-max"),
)
