"""Size of the key-value cache by model, and that decoding with it is exact."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from interview_coach.labs.lab import Lab
from interview_coach.labs.numerics import normal, softmax
from interview_coach.page import Page
from interview_coach.text import Text

KIB, GIB = 2**10, 2**30


class Shape(NamedTuple):
    """What decides the size of a cache."""

    label: str
    layers: int
    kv_heads: int
    head_dim: int


MODELS = {
    "llama2_7b": Shape("Llama-2-7B, MHA", 32, 32, 128),
    "llama2_7b_mqa": Shape("Llama-2-7B, if MQA", 32, 1, 128),
    "llama2_70b": Shape("Llama-2-70B, GQA-8", 80, 8, 128),
    "llama2_70b_mha": Shape("Llama-2-70B, if MHA", 80, 64, 128),
    "llama3_8b": Shape("Llama-3-8B, GQA-8", 32, 8, 128),
    "opt_13b": Shape("OPT-13B, MHA", 40, 40, 128),
}


@cache
def measure() -> Mapping[str, float]:
    """Bytes of keys and values in 16 bits; largest difference of cached decoding from one causal pass."""
    values: dict[str, float] = {}
    for name, shape in MODELS.items():
        size = 2 * shape.layers * shape.kv_heads * shape.head_dim * 2
        values[f"{name}.kib_per_token"] = size / KIB
        values[f"{name}.gib_at_2048"] = size * 2048 / GIB
        values[f"{name}.gib_at_4096"] = size * 4096 / GIB
    values["gqa.llama2_70b.ratio"] = values["llama2_70b_mha.kib_per_token"] / values["llama2_70b.kib_per_token"]
    # DeepSeek-V2: 60 layers, a latent of 512 and a shared RoPE key of 64 a token; 128 heads of 128.
    values["mla.kib_per_token"] = (512 + 64) * 60 * 2 / KIB
    values["mla.same_shape_mha.kib_per_token"] = 2 * 128 * 128 * 60 * 2 / KIB
    values["mla.ratio"] = values["mla.same_shape_mha.kib_per_token"] / values["mla.kib_per_token"]
    values["mla.gqa_groups"] = (512 + 64) / (2 * 128)
    q, k, v = normal(np.random.default_rng(10), 3, 24, 16)
    hidden = np.triu(np.full((24, 24), -np.inf), 1)
    whole = softmax(q @ k.T / 4 + hidden) @ v
    steps = np.stack([softmax(q[t] @ k[: t + 1].T / 4) @ v[: t + 1] for t in range(24)])
    values["decode.max_error"] = float(np.abs(steps - whole).max())
    return values


def body(page: Page) -> None:
    """Sizes, then exactness."""
    v = measure()
    page.table(
        [Text("model, 16 bits", "模型，16 位"), Text("KiB a token", "每 token KiB"), "GiB @2048", "GiB @4096"],
        [
            [
                shape.label,
                f"{v[f'{name}.kib_per_token']:g}",
                f"{v[f'{name}.gib_at_2048']:.3g}",
                f"{v[f'{name}.gib_at_4096']:.4g}",
            ]
            for name, shape in MODELS.items()
        ],
    )
    page.say(
        Text(
            "Bytes a token = 2 · layers · KV heads · head size · bytes. 8 KV heads instead of 64 make it "
            f"{v['gqa.llama2_70b.ratio']:g} times smaller. MLA (DeepSeek-V2) keeps {v['mla.kib_per_token']:g} KiB, "
            "as GQA with "
            f"{v['mla.gqa_groups']:g} groups would, {v['mla.ratio']:.0f} times less than MHA of the same shape. A "
            "decode step "
            f"with a cache equals the row of one causal pass ({v['decode.max_error']:.0e}).",
            "每个 token 的字节数 = 2 · 层数 · KV 头数 · 头维度 · 字节数。KV 头从 64 减到 8，"
            f"缓存缩小为 1/{v['gqa.llama2_70b.ratio']:g}。"
            f"MLA（DeepSeek-V2）每个 token {v['mla.kib_per_token']:g} KiB，"
            f"相当于 {v['mla.gqa_groups']:g} 组的 GQA，是同形状 MHA 的 1/{v['mla.ratio']:.0f}。"
            f"带缓存的单步解码与一次因果前向的对应行相等（{v['decode.max_error']:.0e}）。",
        )
    )


LAB = Lab(
    id="kv-cache",
    title=Text("Size of the KV cache", "KV 缓存的大小"),
    summary=Text(
        "Arithmetic for published shapes, and a check that cached decoding is exact.",
        "按公开的模型形状计算，并验证带缓存的解码是精确的。",
    ),
    values=measure,
    body=body,
    questions=("long-sequences",),
)
