"""HBM accesses of standard attention and of FlashAttention (Dao et al. 2022, theorem 2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from interview_coach.labs.lab import Lab
from interview_coach.page import Page
from interview_coach.text import Text

D = 64
SRAM = 100 * 1024 // 2
LENGTHS = (1024, 4096, 16384)


@cache
def measure() -> Mapping[str, float]:
    """Θ(N·d + N²) against Θ(N²·d²/M), constants left out, M = 51 200 fp16 numbers (100 KiB)."""
    values: dict[str, float] = {"d": D, "sram_numbers": SRAM}
    for n in LENGTHS:
        standard, flash = n * D + n * n, n * n * D * D / SRAM
        values |= {f"n{n}.standard": standard, f"n{n}.flash": flash, f"n{n}.ratio": standard / flash}
        # What is kept for the backward pass, a head: P in fp16, or a log-sum-exp in fp32 a row.
        values[f"n{n}.p_fp16.kib"] = n * n * 2 / 1024
        values[f"n{n}.lse.kib"] = n * 4 / 1024
    return values


def body(page: Page) -> None:
    """Accesses by length."""
    v = measure()
    page.table(
        ["N", Text("standard", "标准实现"), "FlashAttention", Text("ratio", "倍数"), "P fp16 KiB", "log-sum-exp KiB"],
        [
            [
                str(n),
                f"{v[f'n{n}.standard']:,.0f}",
                f"{v[f'n{n}.flash']:,.0f}",
                f"{v[f'n{n}.ratio']:.1f}",
                f"{v[f'n{n}.p_fp16.kib']:,.0f}",
                f"{v[f'n{n}.lse.kib']:,.0f}",
            ]
            for n in LENGTHS
        ],
    )
    page.say(
        Text(
            "The FLOPs stay O(N²·d), and rise a little with recomputation; what falls is the traffic to HBM, by "
            "about d²/M, and "
            "the extra memory, from N² to N. These are element counts without constants: use them for the trend "
            "only.",
            "FLOPs 仍是 O(N²·d)，重算还会略增；下降的是 HBM 读写量（约 d²/M 倍）和额外显存（从 N² 到 N）。"
            "这里是不含常数的元素个数，只看趋势。",
        )
    )


LAB = Lab(
    id="io",
    title=Text("Memory traffic of attention", "注意力的显存读写量"),
    summary=Text(
        f"Elements moved between HBM and SRAM for d = {D} and an SRAM of {SRAM} numbers, per head.",
        f"d = {D}、SRAM 可存 {SRAM} 个数时，每个头在 HBM 与 SRAM 之间搬运的元素个数。",
    ),
    values=measure,
    body=body,
    questions=("flash-attention",),
)
