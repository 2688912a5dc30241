"""Multi-head attention with its projections."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: multi-head
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Multi-head self-attention; d_model is split over n_heads.

    forward(x, mask=None): x (B, S, d_model); mask broadcastable to (B, n_heads, S, S), True = may attend.
    Scale: 1 / sqrt(d_model / n_heads). Returns (B, S, d_model).
    It is graded with its own weights, whatever they are called. nn.MultiheadAttention is not accepted.
    """

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        raise NotImplementedError
'''

EXERCISE = Exercise(
    id="multi-head",
    title=Text("Multi-head attention with its projections", "带投影的多头注意力"),
    stub=STUB,
    hints=(
        Text(
            "Where does the head axis come from, and where must it go before the matrix product? Write the shape after each step.",
            "head 这一维从哪里来？做矩阵乘之前要移到哪里？写下每一步之后的形状。",
        ),
        Text(
            "(B, S, C) → view (B, S, H, D) → transpose to (B, H, S, D). The scale is that of one head: √D, not √C. "
            "On the way back transpose first, then merge.",
            "(B, S, C) → view 成 (B, S, H, D) → 转置为 (B, H, S, D)。缩放用单个头的 √D，不是 √C。合并时先转置回来，再合并。",
        ),
        Text(
            "q, k, v = (t.view(B, S, H, D).transpose(1, 2) for t in (Wq(x), Wk(x), Wv(x))); "
            "p = softmax(q @ k.mT / √D masked, -1); return Wo((p @ v).transpose(1, 2).reshape(B, S, H * D)).",
            "q, k, v = (t.view(B, S, H, D).transpose(1, 2) for t in (Wq(x), Wk(x), Wv(x)))；"
            "p = softmax(q @ k.mT / √D（加掩码）, -1)；返回 Wo((p @ v).transpose(1, 2).reshape(B, S, H * D))。",
        ),
    ),
    questions=("why-multi-head", "split-and-merge", "scale-per-head", "attention-formula-shapes"),
    family="attention",
    names=r".*(multihead|mha|multiheaded|mhsa).*|attention(layer|block|module)?|selfattention|attn(layer|block)?",
    first_hint={
        "scale-": 2,
        "missing-scale": 2,
        "heads-": 2,
        "output-projection-missing": 3,
        "projection-reused": 3,
        "values-keys-swapped": 3,
        "softmax-wrong-axis": 3,
        "mask": 3,
    },
    order=4,
)
