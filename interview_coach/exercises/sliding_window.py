"""Causal attention over a sliding window (Beltagy et al., "Longformer", 2020, section 3.1; Jiang et al. 2023, section 2)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: sliding-window
import torch


def sliding_window_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int) -> torch.Tensor:
    """Causal attention in which a query sees the last `window` keys: i - window + 1 .. i, its own included.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv). Sq may differ from Sk: query i stands at position i + Sk - Sq.
    window: at least 1; it may be longer than Sk. Scale: 1 / sqrt(D). A query before the first key (Sq > Sk) gives 0.
    Returns (B, H, Sq, Dv) in the dtype of q.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="sliding-window",
    title=Text("Attention over a sliding window", "滑动窗口注意力"),
    stub=STUB,
    hints=(
        Text(
            "Two edges bound what a query sees: the causal one, and one that follows it at a fixed distance. With window 1, what "
            "does a query see? With window 2?",
            "query 能看到的范围有两条边界：因果边界，以及与它保持固定距离的另一条。window 为 1 时 query 看到什么？为 2 时呢？",
        ),
        Text(
            "With p = i + Sk - Sq the position of query i, key j is seen where p - window < j <= p: exactly `window` keys, itself "
            "included. Both edges shift by Sk - Sq.",
            "设 p = i + Sk - Sq 为 query i 的位置，能看到 p - window < j <= p 的 key：恰好 window 个，含自身。两条边界都要平移 Sk - Sq。",
        ),
        Text(
            "p = arange(Sq)[:, None] + Sk - Sq; j = arange(Sk); keep = (j <= p) & (j > p - window); "
            "s = (q @ k.mT * D ** -0.5).masked_fill(~keep, -inf); softmax over dim=-1, rows without a key set to 0, times v.",
            "p = arange(Sq)[:, None] + Sk - Sq；j = arange(Sk)；keep = (j <= p) & (j > p - window)；"
            "s = (q @ k.mT * D ** -0.5).masked_fill(~keep, -inf)；对 dim=-1 做 softmax，没有 key 的行置 0，再乘 v。",
        ),
    ),
    questions=("sliding-window", "masks-basics", "causal-alignment", "long-sequences"),
    family="attention",
    names=r".*(slidingwindow|windowed|windowatt|swa|bandedatt|localwindow|localatt|slidingatt|mistral).*",
    causal=True,
    windowed=True,
    first_hint={
        "window-": 2,
        "window-ignored": 1,
        "window-two-sided": 1,
        "causal-": 2,
        "causal-missing": 1,
        "missing-scale": 3,
        "scale-": 3,
        "softmax-wrong-axis": 3,
    },
    order=10,
)
