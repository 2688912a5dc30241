"""What the initialisation of W_q and W_k makes of the logits, and what normalisation does about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from interview_coach.labs.lab import Lab
from interview_coach.page import Page
from interview_coach.text import Text

D_MODEL, D_HEAD, TOKENS = 512, 64, 4000
Matrix = NDArray[np.float32]
Draw = Callable[[np.random.Generator], Matrix]


def uniform(bound: float) -> Draw:
    """A projection with entries uniform in ±bound."""
    return lambda rng: rng.uniform(-bound, bound, (D_MODEL, D_HEAD)).astype(np.float32)


def gaussian(std: float) -> Draw:
    """A projection with normal entries."""
    return lambda rng: (std * rng.standard_normal((D_MODEL, D_HEAD))).astype(np.float32)


# Xavier: bound √(6 / (fan_in + fan_out)) of the matrix that is initialised, of which one head takes 64 columns.
INITS: Mapping[str, tuple[Draw, Text]] = {
    "xavier_square": (uniform(math.sqrt(6 / (2 * D_MODEL))), Text("Xavier, 512 × 512", "Xavier，512 × 512")),
    "xavier_per_head": (
        uniform(math.sqrt(6 / (D_MODEL + D_HEAD))),
        Text("Xavier per head, 512 × 64", "每头 Xavier，512 × 64"),
    ),
    "torch_mha": (
        uniform(math.sqrt(6 / (4 * D_MODEL))),
        Text("nn.MultiheadAttention (packed 1536 × 512)", "nn.MultiheadAttention（打包 1536 × 512）"),
    ),
    "torch_linear": (uniform(1 / math.sqrt(D_MODEL)), Text("nn.Linear default", "nn.Linear 默认")),
    "normal002": (gaussian(0.02), Text("N(0, 0.02)", "N(0, 0.02)")),
    "normal1": (gaussian(1.0), Text("N(0, 1)", "N(0, 1)")),
}


def layer_norm(x: Matrix) -> Matrix:
    """Rows with mean 0 and variance 1."""
    centred = x - x.mean(-1, keepdims=True)
    normed: Matrix = centred / centred.std(-1, keepdims=True)
    return normed


def rms_norm(x: Matrix) -> Matrix:
    """Rows with root mean square 1."""
    normed: Matrix = x / np.sqrt((x**2).mean(-1, keepdims=True))
    return normed


@cache
def measure() -> Mapping[str, float]:
    """Variances of q and of scaled logits, means over 3 draws of the weights; T5, cross-attention, QK-norm, "
    "soft-cap."""
    rng = np.random.default_rng(11)
    x, y = rng.standard_normal((2, TOKENS, D_MODEL), dtype=np.float32)
    values: dict[str, float] = {"d_model": D_MODEL, "d_head": D_HEAD, "tokens": TOKENS}

    def logits(q: Matrix, k: Matrix) -> Matrix:
        dots: Matrix = (q * k).sum(-1)
        return dots

    for name, (draw, _) in INITS.items():
        var_q, var_logit = [], []
        for _ in range(3):
            q, k = x @ draw(rng), y @ draw(rng)
            var_q.append(float(q.var()))
            var_logit.append(float(logits(q, k).var()) / D_HEAD)
        values[f"{name}.var_q"] = float(np.mean(var_q))
        values[f"{name}.logit_var"] = float(np.mean(var_logit))
        values[f"{name}.logit_std"] = math.sqrt(values[f"{name}.logit_var"])
    q, k = x @ gaussian((D_MODEL * D_HEAD) ** -0.5)(rng), y @ gaussian(D_MODEL**-0.5)(rng)
    values["t5.unscaled_logit_var"] = float(logits(q, k).var())
    w_q, w_k = gaussian(D_MODEL**-0.5)(rng), gaussian(D_MODEL**-0.5)(rng)
    for name, memory in (("raw", 4 * y), ("layer_norm", layer_norm(4 * y))):
        values[f"cross.memory_std4.{name}.logit_std"] = float(logits(x @ w_q, memory @ w_k).std()) / math.sqrt(D_HEAD)
    q, k = 100 * rng.standard_normal((2, 600, 128), dtype=np.float32)
    normed = rms_norm(q) @ rms_norm(k).T / math.sqrt(128)
    values |= {
        "qk_norm.logit_std": float(normed.std()),
        "qk_norm.max": float(np.abs(normed).max()),
        "qk_norm.bound": math.sqrt(128),
        "qk_norm.without.logit_std": float((q @ k.T / math.sqrt(128)).std()),
    }
    for point in (1, 10, 50, 100, 1000):
        values[f"softcap50.at_{point}"] = 50 * math.tanh(point / 50)
    # A constant scale can always be moved into W_q: powers of two make it exact.
    small = x[:50]
    values["scale_in_w_q.max_diff"] = float(
        np.abs((small @ w_q) * np.float32(0.125) - small @ (w_q * np.float32(0.125))).max()
    )
    return values


def body(page: Page) -> None:
    """Variances by initialisation, then the remedies."""
    v = measure()
    page.table(
        [Text("W_q and W_k", "W_q 与 W_k"), "Var(q)", "Var(q·k/√d_k)"],
        [[name, f"{v[f'{key}.var_q']:.3g}", f"{v[f'{key}.logit_var']:.3g}"] for key, (_, name) in INITS.items()],
    )
    page.say(
        Text(
            "Unit variance of the logits is no precondition: most of these rows are defaults of libraries. N(0, "
            "1) is the "
            f"one that saturates, with logits of std {v['normal1.logit_std']:.0f}. T5 divides by nothing: it draws "
            "W_q with "
            f"std (d_model·d_k)^-1/2, and q·k has variance {v['t5.unscaled_logit_var']:.2f}.",
            "logits 方差为 1 并不是前提：表中多数是各个库的默认初始化。"
            f"会饱和的是 N(0, 1)，logits 标准差为 {v['normal1.logit_std']:.0f}。"
            "T5 不做除法：它用标准差 (d_model·d_k)^-1/2 初始化 W_q，"
            f"q·k 的方差是 {v['t5.unscaled_logit_var']:.2f}。",
        )
    )
    page.say(
        Text(
            "Cross-attention to a memory of std 4: logits have std "
            f"{v['cross.memory_std4.raw.logit_std']:.2f}, after LayerNorm "
            f"{v['cross.memory_std4.layer_norm.logit_std']:.2f}. "
            f"QK-norm: q and k of std 100 give logits of std {v['qk_norm.logit_std']:.2f}, never above "
            f"√128 = {v['qk_norm.bound']:.1f}; without it {v['qk_norm.without.logit_std']:,.0f}. Soft-cap 50 maps "
            "100 to "
            f"{v['softcap50.at_100']:.1f}.",
            "cross-attention 中 memory 标准差为 4 时，"
            f"logits 标准差为 {v['cross.memory_std4.raw.logit_std']:.2f}，"
            f"经 LayerNorm 后为 {v['cross.memory_std4.layer_norm.logit_std']:.2f}。"
            f"QK-norm：q、k 标准差为 100 时 logits 标准差为 {v['qk_norm.logit_std']:.2f}，"
            f"不超过 √128 = {v['qk_norm.bound']:.1f}；不用它则是 {v['qk_norm.without.logit_std']:,.0f}。"
            f"soft-cap 50 把 100 压到 {v['softcap50.at_100']:.1f}。",
        )
    )


LAB = Lab(
    id="init",
    title=Text("Initialisation and the variance of logits", "初始化与 logits 的方差"),
    summary=Text(
        f"{TOKENS} tokens with unit-variance channels, d_model = {D_MODEL}, one head of {D_HEAD}.",
        f"{TOKENS} 个 token，各通道方差为 1，d_model = {D_MODEL}，一个 {D_HEAD} 维的头。",
    ),
    values=measure,
    body=body,
    questions=("cross-attention-init",),
)
