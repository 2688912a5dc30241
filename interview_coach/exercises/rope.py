"""Rotary position embedding (Su et al., "RoFormer", 2021, section 3.2.2)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: rope
import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Rotate the channels of x by their positions.

    x: (B, H, S, D), D even; positions: integers, (S,) or (B, S).
    Pairs are (x[i], x[i + D/2]); the angle is positions * base ** (-2 i / D), computed in float32.
    x1' = x1 cos - x2 sin, x2' = x2 cos + x1 sin. Returns (B, H, S, D) in the dtype of x.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="rope",
    title=Text("Rotary position embedding", "旋转位置编码（RoPE）"),
    stub=STUB,
    hints=(
        Text(
            "A pair of channels is a point in the plane. What turns it by "
            "an angle, and which of position and channel sets the angle?",
            "一对通道就是平面上的一个点。怎样把它转过一个角度？位置与通道各怎样决定这个角度？",
        ),
        Text(
            "D/2 frequencies base ** (-2 i / D), angles (S, D/2) = positions[:, "
            "None] * frequencies. Split x into halves, rotate, join. "
            "Positions (B, S) need a head axis before they broadcast.",
            "D/2 个频率 base ** (-2 i / D)，角度 (S, D/2) = positions[:, None] * 频率。把 x 对半分，旋转，再拼回。"
            "positions 为 (B, S) 时要先插入 head 维才能广播。",
        ),
        Text(
            "a = positions.float()[..., None] * base ** (-torch.arange(0, D, 2) / D); if a.ndim == 3: a = a[:, None]; "
            "x1, x2 = x.chunk(2, -1); return torch.cat([x1 * a.cos() "
            "- x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], -1).to(x.dtype).",
            "a = positions.float()[..., None] * base ** (-torch.arange(0, D, 2) / D)；若 a.ndim == 3：a = a[:, None]；"
            "x1, x2 = x.chunk(2, -1)；返回 torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], -1).to(x.dtype)。",
        ),
    ),
    questions=("rope-idea", "rope-vs-alibi", "why-positions"),
    family="function",
    names=r"(?!.*(attention|attn|mha)).*(rope|rotary|rotate(q|x|emb|pos)).*",
    first_hint={
        "rope-pairing": 2,
        "rope-direction": 3,
        "rope-base": 2,
        "rope-wrong-axis": 2,
        "rope-positions-restart": 1,
        "shape": 2,
    },
    order=23,
)
