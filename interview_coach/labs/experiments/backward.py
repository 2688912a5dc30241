"""The backward pass of attention, checked against derivatives (Dao 2023, section 2.2 and algorithm 2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import Array, normal, softmax
from interview_coach.page import Page
from interview_coach.text import Text

N, D = 7, 5
STEP = 1e-30


def attention(q: Array, k: Array, v: Array) -> Array:
    """Softmax attention; the maximum is taken of the real part, so complex arguments work."""
    s = q @ k.T / np.sqrt(D)
    e = np.exp(s - s.real.max(-1, keepdims=True))
    out: Array = e / e.sum(-1, keepdims=True) @ v
    return out


def derivative(inputs: tuple[Array, Array, Array], which: int, d_out: Array) -> Array:
    """Gradient of ⟨attention, d_out⟩ by complex steps: Im f(x + ih)/h has no cancellation, so it is exact to "
    "rounding."""
    gradient = np.zeros_like(inputs[which])
    for index in np.ndindex(gradient.shape):
        stepped = [x.astype(complex) for x in inputs]
        stepped[which][index] += 1j * STEP
        gradient[index] = (attention(*stepped) * d_out).sum().imag / STEP
    return gradient


@cache
def measure() -> Mapping[str, float]:
    """Errors of the formulas, and what common wrong ones give."""
    rng = np.random.default_rng(9)
    q, k, v, d_out = normal(rng, 4, N, D)
    p = softmax(q @ k.T / np.sqrt(D))
    out, dp = p @ v, d_out @ v.T
    row_dot = (d_out * out).sum(-1, keepdims=True)
    ds = p * (dp - row_dot)
    formulas = (ds @ k / np.sqrt(D), ds.T @ q / np.sqrt(D), p.T @ d_out)
    values: dict[str, float] = {"n": N, "d": D}
    for which, name in enumerate(("dq", "dk", "dv")):
        exact = derivative((q, k, v), which, d_out)
        values[f"{name}.max_error"] = float(np.abs(formulas[which] - exact).max())
        if name == "dq":
            values["dq.without_scale_ratio"] = float(np.linalg.norm(ds @ k) / np.linalg.norm(exact))
    values["ds.max_row_sum"] = float(np.abs(ds.sum(-1)).max())
    values["row_dot.max_diff"] = float(np.abs((p * dp).sum(-1, keepdims=True) - row_dot).max())
    no_correction = p * dp
    values["without_row_dot.max_error"] = float(np.abs(no_correction - ds).max())
    values["without_row_dot.max_row_sum"] = float(np.abs(no_correction.sum(-1)).max())
    # (P − Y) Vᵀ type-checks only with as many keys as value channels.
    size = 32
    q, k, v, d_out = normal(rng, 4, size, size)
    p = softmax(q @ k.T / np.sqrt(size))
    true = p * (d_out @ v.T - (d_out * (p @ v)).sum(-1, keepdims=True))
    claimed = (p - np.eye(size)) @ v.T
    values["p_minus_y.cosine"] = float((true * claimed).sum() / np.linalg.norm(true) / np.linalg.norm(claimed))
    values["p_minus_y.max_row_sum"] = float(np.abs(claimed.sum(-1)).max())
    return values


def body(page: Page) -> None:
    """Formulas with their errors."""
    v = measure()
    page.table(
        [Text("formula", "公式"), Text("largest error", "最大误差")],
        [
            ["dV = Pᵀ dO", f"{v['dv.max_error']:.0e}"],
            ["dS = P ∘ (dP − rowsum(dO ∘ O)), dP = dO Vᵀ; dQ = dS K / √d", f"{v['dq.max_error']:.0e}"],
            ["dK = dSᵀ Q / √d", f"{v['dk.max_error']:.0e}"],
            ["rowsum(P ∘ dP) = rowsum(dO ∘ O)", f"{v['row_dot.max_diff']:.0e}"],
        ],
    )
    page.say(
        Text(
            f"Rows of dS sum to 0 ({v['ds.max_row_sum']:.0e}), since softmax does not change under a shift: a "
            "quick check of any "
            f"answer. Without the row term they reach {v['without_row_dot.max_row_sum']:.1f}. (P − y)Vᵀ is not "
            "this gradient: "
            f"attention has no labels; its cosine with dS is {v['p_minus_y.cosine']:.2f}. Without 1/√d, dQ is "
            f"{v['dq.without_scale_ratio']:.2f} times too large, √d here.",
            f"dS 的每一行之和为 0（{v['ds.max_row_sum']:.0e}），因为 softmax 平移不变：可以用它快速检查答案。"
            f"漏掉行修正项时，行和可达 {v['without_row_dot.max_row_sum']:.1f}。"
            "(P − y)Vᵀ 不是这个梯度：注意力没有标签，"
            f"它与 dS 的余弦是 {v['p_minus_y.cosine']:.2f}。"
            f"漏掉 1/√d，dQ 会大 {v['dq.without_scale_ratio']:.2f} 倍（即 √d）。",
        )
    )


LAB = Lab(
    id="backward",
    title=Text("Backward pass of attention", "注意力的反向传播"),
    summary=Text(
        f"The formulas against complex-step derivatives, {N} tokens of dimension {D}, float64.",
        f"公式与复数步长求导对比，{N} 个 token，维度 {D}，float64。",
    ),
    values=measure,
    body=body,
    questions=("softmax-backward",),
)
