"""Causal attention with linear biases in place of position embeddings (Press et al. 2022, section 3)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: alibi
import torch


def alibi_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Causal attention with linear biases (ALiBi): the score falls with the distance between query and key.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv); H is a power of two. Sq may differ from Sk: query i stands at
    position i + Sk - Sq and sees the keys up to it.
    Score: q · k / sqrt(D) - slope * (position of the query - position of the key); the bias is not scaled.
    Slope of head h: 2 ** (-8 (h + 1) / H). A query before the first key (Sq > Sk) gives 0.
    Returns (B, H, Sq, Dv) in the dtype of q.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="alibi",
    title=Text("Attention with linear biases (ALiBi)", "线性偏置注意力（ALiBi）"),
    stub=STUB,
    hints=(
        Text(
            "No position embedding: a penalty on the scores grows with the distance, at a rate of its own for each head. "
            "Which sign has it, and is it added before or after the scale?",
            "没有位置编码，而是在打分上加随距离增大的惩罚，每个头速率不同。它是正还是负？在缩放之前加，还是之后？",
        ),
        Text(
            "The slopes are 2 ** (-8 (h + 1) / H), h from 0: for 8 heads 1/2, 1/4, .. 1/256. The bias is slope * (j - i), at most 0 "
            "where j <= i, added to scores that are scaled already. With Sq < Sk queries begin at position Sk - Sq.",
            "斜率为 2 ** (-8 (h + 1) / H)，h 从 0 起：8 个头时为 1/2、1/4、…、1/256。偏置 slope * (j - i) 在 j <= i 处不大于 0，"
            "加在已缩放的打分上。Sq < Sk 时 query 从位置 Sk - Sq 开始。",
        ),
        Text(
            "i = arange(Sq)[:, None] + Sk - Sq; j = arange(Sk); m = 2 ** (-8 * arange(1, H + 1) / H); "
            "s = q @ k.mT * D ** -0.5 + m[:, None, None] * (j - i); s = s.masked_fill(j > i, -inf); softmax over dim=-1, "
            "rows without a key set to 0, times v.",
            "i = arange(Sq)[:, None] + Sk - Sq；j = arange(Sk)；m = 2 ** (-8 * arange(1, H + 1) / H)；"
            "s = q @ k.mT * D ** -0.5 + m[:, None, None] * (j - i)；s = s.masked_fill(j > i, -inf)；对 dim=-1 做 softmax，"
            "没有 key 的行置 0，再乘 v。",
        ),
    ),
    questions=("rope-vs-alibi", "why-positions", "causal-alignment"),
    family="attention",
    names=r".*(alibi|linearbias).*",
    causal=True,
    alibi=True,
    first_hint={
        "alibi-sign": 1,
        "alibi-slopes": 2,
        "causal-": 2,
        "missing-scale": 3,
        "scale-": 3,
        "softmax-wrong-axis": 3,
    },
    order=9,
)
