"""FLOPs of attention: heads do not matter, the sequence length does."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from interview_coach.labs.lab import Lab
from interview_coach.page import Page
from interview_coach.text import Text

N, D_MODEL = 256, 512
HEADS = (1, 8, 32)


def matmul(rows: int, inner: int, columns: int) -> int:
    """FLOPs of (rows × inner)(inner × columns): a multiplication and an addition each."""
    return 2 * rows * inner * columns


@cache
def measure() -> Mapping[str, float]:
    """Counted matmul by matmul for N = 256, d_model = 512, and the ratios that follow."""
    values: dict[str, float] = {"n": N, "d_model": D_MODEL, "formula": 4 * N * N * D_MODEL}
    for h in HEADS:
        d = D_MODEL // h
        scores, output = h * matmul(N, d, N), h * matmul(N, N, d)
        values[f"attention.h{h}"] = scores + output
        values[f"score_entries.h{h}"] = h * N * N
        # dV, dP, dQ and dK; recomputation adds S.
        backward = output + scores + scores + scores
        values[f"backward_ratio.h{h}"] = backward / (scores + output)
        values[f"backward_recompute_ratio.h{h}"] = (backward + scores) / (scores + output)
    values["projections"] = 4 * matmul(N, D_MODEL, D_MODEL)
    values["crossover_n.d512"] = 2 * D_MODEL
    values["crossover_n.d4096"] = 2 * 4096
    n, d = 400, 32
    values["softmax_attention.n400d32"] = 4 * n * n * d
    values["linear_attention.n400d32"] = 4 * n * d * d
    values["window.reach.w4096l32"] = 4096 * 32
    values["causal_share"] = (N + 1) / (2 * N)
    return values


def body(page: Page) -> None:
    """By heads, then the crossover with the projections."""
    v = measure()
    page.table(
        [
            Text("heads", "头数"),
            "QKᵀ + PV FLOPs",
            "4·N²·D",
            Text("score entries", "分数个数"),
            Text("backward", "反向"),
            Text("with recomputation", "含重算"),
        ],
        [
            [
                str(h),
                f"{v[f'attention.h{h}']:,.0f}",
                f"{v['formula']:,.0f}",
                f"{v[f'score_entries.h{h}']:,.0f}",
                f"× {v[f'backward_ratio.h{h}']:.1f}",
                f"× {v[f'backward_recompute_ratio.h{h}']:.1f}",
            ]
            for h in HEADS
        ],
    )
    page.say(
        Text(
            "More heads cost the same FLOPs and more score entries. The projections take 8·N·D², so attention "
            "overtakes them "
            f"only at N = 2·D: {v['crossover_n.d512']:.0f} for D = 512, {v['crossover_n.d4096']:.0f} for D = 4096. "
            "Causal "
            f"attention needs {v['causal_share']:.1%} of the pairs. Linear attention reorders to 4·N·d²: at N = "
            "400, d = 32 "
            f"{v['softmax_attention.n400d32']:,.0f} become {v['linear_attention.n400d32']:,.0f}.",
            "头数增加，FLOPs 不变，分数个数变多。投影需要 8·N·D²，"
            f"所以 N = 2·D 时注意力才追上它：D = 512 时为 {v['crossover_n.d512']:.0f}，"
            f"D = 4096 时为 {v['crossover_n.d4096']:.0f}。"
            f"因果注意力只需 {v['causal_share']:.1%} 的配对。线性注意力改变乘法顺序，变为 4·N·d²："
            f"N = 400、d = 32 时从 {v['softmax_attention.n400d32']:,.0f} 降到 "
            f"{v['linear_attention.n400d32']:,.0f}。",
        )
    )


LAB = Lab(
    id="flops",
    title=Text("FLOPs of attention", "注意力的 FLOPs"),
    summary=Text(
        f"Matmuls counted one by one for N = {N} tokens and d_model = {D_MODEL}; softmax is left out.",
        f"N = {N} 个 token、d_model = {D_MODEL}，逐个矩阵乘计数；不计 softmax。",
    ),
    values=measure,
    body=body,
    questions=("attention-formula-shapes", "why-multi-head", "long-sequences"),
)
