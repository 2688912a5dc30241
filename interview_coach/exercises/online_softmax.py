"""Softmax in one pass over blocks (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018, section 3)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: online-softmax
import torch


def online_softmax(x: torch.Tensor, block_size: int) -> torch.Tensor:
    """Softmax over the last dim, its maximum and denominator found in one left-to-right pass over blocks.

    x: (..., N); block_size >= 1 need not divide N. Stable for logits of any size.
    Keep a running maximum and a running denominator; rescale what was summed before when the maximum grows.
    Returns probabilities in the shape of x.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="online-softmax",
    title=Text("Softmax in one pass over blocks", "分块单遍的 online softmax"),
    stub=STUB,
    hints=(
        Text(
            "After some blocks you know their maximum m and l = Σ exp(x - "
            "m). The next block has a larger maximum: what must happen to l?",
            "处理完前几块后已知最大值 m 和 l = Σ exp(x - m)。下一块的最大值更大：l 应该怎么变？",
        ),
        Text(
            "m_new = max(m, max of the block); l = l * exp(m - m_new) "
            "+ Σ exp(block - m_new). Start with m = -inf and l = 0. "
            "Take care of blocks that are -inf everywhere: -inf - (-inf) is NaN.",
            "m_new = max(m, 块内最大值)；l = l * exp(m - m_new) + Σ exp(block - m_new)。初值 m = -inf，l = 0。"
            "注意整块都是 -inf 的情形：-inf - (-inf) 得 NaN。",
        ),
        Text(
            "for b in x.split(block_size, -1): m_new = torch.maximum(m, b.amax(-1, keepdim=True)); "
            "l = l * (m - m_new).exp() + (b - m_new).exp().sum(-1, "
            "keepdim=True); m = m_new. At the end: (x - m).exp() / l.",
            "for b in x.split(block_size, -1)：m_new = torch.maximum(m, b.amax(-1, keepdim=True))；"
            "l = l * (m - m_new).exp() + (b - m_new).exp().sum(-1, keepdim=True)；m = m_new。最后 (x - m).exp() / l。",
        ),
    ),
    questions=("online-softmax", "why-subtract-max", "flash-attention"),
    family="function",
    names=r".*(online|blocked|blockwise|tiled|streaming|onepass|singlepass|chunked|running)\w*softmax\w*|softmax(online|blocked|blockwise|tiled|streaming|onepass|singlepass|chunked)\w*",
    first_hint={
        "accumulator-not-rescaled": 2,
        "denominator-not-rescaled": 1,
        "max-not-kept": 2,
        "max-initialised-finite": 2,
        "inf-minus-inf": 2,
        "tail-dropped": 3,
        "tail-not-masked": 3,
        "stability": 2,
        "base-two-exponent": 2,
    },
    order=26,
)
