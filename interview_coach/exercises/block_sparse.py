"""Sliding-window attention with global tokens (Beltagy et al., "Longformer", 2020, section 3.1)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: block-sparse
import torch


def longformer_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int, global_tokens: list[int]
) -> torch.Tensor:
    """Sliding-window attention with symmetric global tokens (Longformer).

    q, k: (B, H, S, D), v: (B, H, S, Dv). A token sees `window` keys on each side and itself.
    global_tokens: positions that see every key and are seen by every query.
    Scale: 1 / sqrt(D). Returns (B, H, S, Dv).
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="block-sparse",
    title=Text("Sliding window with global tokens (Longformer)", "带全局 token 的滑动窗口注意力（Longformer）"),
    stub=STUB,
    hints=(
        Text(
            "Draw the S x S pattern: a band along the diagonal, and for "
            "each global token one full row and one full column. Why both?",
            "画出 S x S 的模式：沿对角线的一条带，每个全局 token 再加一整行和一整列。为什么两者都要？",
        ),
        Text(
            "allowed = |i - j| <= window, or i is global, or j is global. "
            "A key that is in the band and global still counts once.",
            "allowed = |i - j| <= window，或 i 是全局，或 j 是全局。既在带内又是全局的 key 只能算一次。",
        ),
        Text(
            "i = torch.arange(S); keep = (i[:, None] - i).abs() <= window; "
            "keep[global_tokens] = True; keep[:, global_tokens] = True; "
            "softmax((q @ k.mT * D ** -0.5).masked_fill(~keep, -inf), -1) @ v.",
            "i = torch.arange(S)；keep = (i[:, None] - i).abs() <= window；"
            "keep[global_tokens] = True；keep[:, global_tokens] = True；"
            "softmax((q @ k.mT * D ** -0.5).masked_fill(~keep, -inf), -1) @ v。",
        ),
    ),
    questions=("long-sequences", "sliding-window", "masks-basics", "attention-complexity"),
    family="function",
    names=r".*(longformer|blocksparse|sparse(attention|attn)|(window|local|band)\w*global|global\w*(window|local)|bigbird).*",
    first_hint={
        "sparse-global-one-way": 1,
        "sparse-window-wrong": 2,
        "mask-": 3,
        "missing-scale": 3,
        "scale-": 3,
        "softmax-wrong-axis": 3,
    },
    order=27,
)
