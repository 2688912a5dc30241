"""Cross-attention: queries from one sequence, keys and values from another."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: cross-attention
import torch
from torch import nn


class CrossAttention(nn.Module):
    """Multi-head attention of x over a context.

    forward(x, context, context_mask=None): x (B, Sq, d_model), context (B, Sk, d_context),
    context_mask (B, Sk), True = real token. Queries come from x, keys and values from context.
    Scale: 1 / sqrt(d_model / n_heads). Returns (B, Sq, d_model). d_context defaults to d_model.
    """

    def __init__(self, d_model: int, n_heads: int, d_context: int | None = None) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor, context: torch.Tensor, context_mask: torch.Tensor | None = None) -> torch.Tensor:
        raise NotImplementedError
'''

EXERCISE = Exercise(
    id="cross-attention",
    title=Text("Cross-attention over a padded context", "对带填充的上下文做交叉注意力"),
    stub=STUB,
    hints=(
        Text(
            "Which of the three projections reads x, which read the context? What are the two lengths of the score matrix?",
            "三个投影里哪个读 x，哪些读 context？打分矩阵的两个长度分别是什么？",
        ),
        Text(
            "q from x, k and v from context: scores (B, H, Sq, Sk). The mask (B, Sk) hides keys: give it the shape (B, 1, 1, Sk).",
            "q 来自 x，k 和 v 来自 context：打分形状 (B, H, Sq, Sk)。掩码 (B, Sk) 遮的是 key：把它变成 (B, 1, 1, Sk)。",
        ),
        Text(
            "s = q @ k.mT / √D; s = s.masked_fill(~context_mask[:, None, None, :], -inf); "
            "out = softmax(s, -1) @ v; merge the heads; apply the output projection.",
            "s = q @ k.mT / √D；s = s.masked_fill(~context_mask[:, None, None, :], -inf)；"
            "out = softmax(s, -1) @ v；合并各头；再过输出投影。",
        ),
    ),
    questions=("cross-attention-init", "masks-basics", "split-and-merge", "scale-per-head"),
    family="attention",
    names=r".*(cross|encoderdecoder|encdec|memory).*",
    first_hint={
        "context-ignored": 1,
        "queries-from-context": 1,
        "mask-on-queries": 2,
        "mask-wrong-broadcast": 2,
        "missing-scale": 3,
        "scale-": 3,
        "output-projection-missing": 3,
        "mask-inverted": 3,
    },
    order=5,
)
