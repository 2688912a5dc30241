"""How much memory the scores take, by arithmetic: what fits and what does not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

from interview_coach.labs.lab import Lab
from interview_coach.page import Page
from interview_coach.text import Text

N = 8192
KIB, MIB, GIB = 2**10, 2**20, 2**30
BATCHES = ((1, 1), (1, 12), (1, 32), (1, 96), (8, 32), (16, 32), (32, 32))
MODELS = ((12, 12), (32, 32), (80, 64))
BYTES = {"fp16": 2, "fp32": 4}


@cache
def measure() -> Mapping[str, float]:
    """Sizes in MiB and GiB (2³⁰ bytes) at N = 8192; what N and which batch fill 80 GiB."""
    values: dict[str, float] = {"n": N, "single.entries": N * N}
    for name, size in BYTES.items():
        values[f"single.{name}.mib"] = N * N * size / MIB
        for batch, heads in BATCHES:
            values[f"scores.b{batch}h{heads}.{name}.gib"] = batch * heads * N * N * size / GIB
    for layers, heads in MODELS:
        values[f"training.l{layers}h{heads}.p_fp16.gib"] = layers * heads * N * N * 2 / GIB
        # Softmax output, dropout output (2 bytes each) and dropout mask (1 byte).
        values[f"training.l{layers}h{heads}.five_bytes.gib"] = layers * heads * N * N * 5 / GIB
        values[f"lse.l{layers}h{heads}.mib"] = layers * heads * N * 4 / MIB
    values["lse.per_head.kib"] = N * 4 / KIB
    values["fill80.batch_without_heads"] = 80 * GIB / (N * N * 2)
    for heads in (1, 32):
        values[f"fill80.n.h{heads}"] = math.sqrt(80 * GIB / (2 * heads))
    return values


def body(page: Page) -> None:
    """Inference first, then training."""
    v = measure()
    page.table(
        [Text("batch × heads, one layer", "batch × 头数，一层"), "fp16 GiB", "fp32 GiB"],
        [
            [
                f"{b} × {h}",
                *(f"{v[f'scores.b{b}h{h}.{name}.gib']:g}" for name in BYTES),
            ]
            for b, h in BATCHES
        ],
    )
    page.table(
        [
            Text("kept for backward, batch 1", "为反向保存，batch 1"),
            Text("P in fp16", "P（fp16）"),
            Text("5 bytes a score", "每个分数 5 字节"),
            "log-sum-exp",
        ],
        [
            [
                Text(f"{layers} layers × {h} heads", f"{layers} 层 × {h} 头"),
                f"{v[f'training.l{layers}h{h}.p_fp16.gib']:g} GiB",
                f"{v[f'training.l{layers}h{h}.five_bytes.gib']:g} GiB",
                f"{v[f'lse.l{layers}h{h}.mib']:g} MiB",
            ]
            for layers, h in MODELS
        ],
    )
    page.say(
        Text(
            f"One head's scores at N = {N} are {v['single.fp16.mib']:g} MiB in fp16: they fit anywhere. 80 GiB are "
            "filled by one "
            f"head at N = {v['fill80.n.h1']:.0f}, by 32 heads at {v['fill80.n.h32']:.0f}, or by training that "
            "keeps P of every "
            f"layer. FlashAttention keeps "
            f"a log-sum-exp a row instead: {v['lse.per_head.kib']:g} KiB a head.",
            f"N = {N} 时一个头的分数在 fp16 下只有 {v['single.fp16.mib']:g} MiB，哪里都放得下。"
            f"要占满 80 GiB，单头需 N = {v['fill80.n.h1']:.0f}，32 头需 {v['fill80.n.h32']:.0f}，"
            "或者训练时保存每一层的 P。"
            f"FlashAttention 每行只保存一个 log-sum-exp：每个头 {v['lse.per_head.kib']:g} KiB。",
        )
    )


LAB = Lab(
    id="memory",
    title=Text("Memory of the scores", "分数矩阵的显存"),
    summary=Text(
        f"Bytes of S = Q·Kᵀ at N = {N}, by batch, heads and layers. GiB are 2³⁰ bytes.",
        f"N = {N} 时 S = Q·Kᵀ 占用的字节数，按 batch、头数、层数计算。GiB 为 2³⁰ 字节。",
    ),
    values=measure,
    body=body,
    questions=("score-memory", "flash-attention"),
)
