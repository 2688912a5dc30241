"""What a mask fill does to a row: −inf, −1e9, small numbers, and rows with nothing to attend to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import normal, softmax
from interview_coach.page import Page
from interview_coach.text import Text

FILLS = (-10, -100, -1e9)


@cache
def measure() -> Mapping[str, float]:
    """Fully masked rows, fills in fp16, leaks through small fills, NaN in the backward pass, causal alignment."""
    values: dict[str, float] = {}
    zeros = np.zeros(4, np.float32)
    with np.errstate(all="ignore"):
        nan_row = softmax(np.full(4, -np.inf, np.float32))
        values["full_row.neg_inf.nan_share"] = float(np.isnan(nan_row).mean())
        values["full_row.neg_1e9.weight"] = float(softmax(zeros - np.float32(1e9))[0])
        values["fp16.neg_1e9_is_inf"] = float(np.isinf(np.float16(-1e9)))
        # (1 − m)·(−1e9) in fp16 multiplies 0 by −inf where the token is kept.
        values["fp16.additive.kept_is_nan"] = float(np.isnan(np.float16(0) * np.float16(-1e9)))
        values["fp16.min"] = float(np.finfo(np.float16).min)
        guarded = np.where(np.isnan(nan_row), 0, nan_row)
        values["full_row.guarded.weight"] = float(guarded.max())
        # Two queries, the first fully masked, and a loss that ignores it: dO of its row is 0.
        p = np.stack([nan_row, softmax(zeros)])
        d_out = np.array([[0.0, 0.0], [1.0, 1.0]])
        values["full_row.v_grad_nan_share"] = float(np.isnan(p.T @ d_out).mean())
    rng = np.random.default_rng(7)
    logits = normal(rng, 200, 8)
    masked = np.arange(8) >= 6
    exact = softmax(np.where(masked, -np.inf, logits))
    for fill in FILLS:
        leak = softmax(np.where(masked, fill, logits))
        values[f"fill{abs(fill):g}.leak"] = float(leak[:, masked].sum(-1).mean())
        values[f"fill{abs(fill):g}.max_error"] = float(np.abs(leak - exact).max())
        # The same rows shifted down by 200: the fill is no longer far below the kept logits.
        shifted = softmax(np.where(masked, fill, logits - 200))
        values[f"fill{abs(fill):g}.shifted_leak"] = float(shifted[:, masked].sum(-1).mean())
    after = np.where(masked, 0, softmax(logits))
    values["after_softmax.row_sum"] = float(after.sum(-1).mean())
    values["after_softmax.renormalised_error"] = float(np.abs(after / after.sum(-1, keepdims=True) - exact).max())
    values["causal.sq1_sk4.bottom_right_keys"] = float(np.tril(np.ones((1, 4)), 3).sum())
    values["causal.sq1_sk4.top_left_keys"] = float(np.tril(np.ones((1, 4))).sum())
    return values


def body(page: Page) -> None:
    """Fills, then the fully masked row."""
    v = measure()
    page.table(
        [
            Text("fill of 2 keys out of 8", "8 个 key 屏蔽 2 个，填充值"),
            Text("weight that leaks", "泄漏的权重"),
            Text("leak, logits − 200", "泄漏，logits − 200"),
        ],
        [
            [f"{fill:g}", f"{v[f'fill{abs(fill):g}.leak']:.1e}", f"{v[f'fill{abs(fill):g}.shifted_leak']:.1e}"]
            for fill in FILLS
        ],
    )
    page.table(
        [Text("row with nothing to attend to, 4 keys", "没有可关注 key 的行，共 4 个 key"), Text("weights", "权重")],
        [
            ["-inf", "NaN"],
            ["-1e9", f"{v['full_row.neg_1e9.weight']:g}"],
            [Text("-inf and a guard", "-inf 加保护"), f"{v['full_row.guarded.weight']:g}"],
        ],
    )
    page.say(
        Text(
            "-1e9 makes a fully masked row uniform: it attends to padding without a word. -inf makes it NaN, and the "
            f"gradient of V is NaN everywhere ({v['full_row.v_grad_nan_share']:.0%}), even if the loss ignores "
            "that row. In "
            "fp16 -1e9 does not exist: it rounds to -inf, and an additive mask (1 − m)·(−1e9) is 0·(−inf) = NaN for "
            "the kept keys. Zeroing weights after the softmax leaves rows that sum to "
            f"{v['after_softmax.row_sum']:.2f}.",
            "-1e9 使全屏蔽的行变成均匀分布，悄悄关注了 padding。"
            "-inf 使它变成 NaN，并且 V 的梯度处处为 NaN"
            f"（{v['full_row.v_grad_nan_share']:.0%}），即使损失不用这一行。"
            "fp16 里没有 -1e9：它会舍入成 -inf，加性 mask (1 − m)·(−1e9) 在保留的 key 上是 0·(−inf) = NaN。"
            f"在 softmax 之后把权重置零，每行之和只剩 {v['after_softmax.row_sum']:.2f}。",
        )
    )
    page.say(
        Text(
            f"Causal with 1 query and 4 keys: aligned to the bottom right it sees "
            f"{v['causal.sq1_sk4.bottom_right_keys']:.0f}, to the top left {v['causal.sq1_sk4.top_left_keys']:.0f}.",
            f"1 个 query、4 个 key 的因果 mask：右下对齐能看到 {v['causal.sq1_sk4.bottom_right_keys']:.0f} 个，"
            f"左上对齐只能看到 {v['causal.sq1_sk4.top_left_keys']:.0f} 个。",
        )
    )


LAB = Lab(
    id="masks",
    title=Text("Mask fills and fully masked rows", "mask 的填充值与全屏蔽行"),
    summary=Text(
        "What different fills leave of the masked keys, and what a row without any key becomes.",
        "不同填充值让被屏蔽的 key 还剩多少权重，以及没有任何 key 的行会变成什么。",
    ),
    values=measure,
    body=body,
    questions=("masks-basics", "fully-masked-row", "causal-alignment"),
)
