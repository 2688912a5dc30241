"""FlashAttention's forward pass (Dao, "FlashAttention-2", 2023, section 3.1)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: flash-forward
import torch


def flash_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool = False, block_size: int = 64
) -> tuple[torch.Tensor, torch.Tensor]:
    """Attention softmax(q k^T / sqrt(D)) v by tiles: the S x S scores are never held at once.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv). Sq and Sk need not be equal, nor multiples of block_size.
    causal: query i sees keys j <= i + Sk - Sq (aligned to the bottom right).
    Extra memory grows with S, not with S squared; a boolean mask of S x S counts, too.
    Returns out (B, H, Sq, Dv), and lse (B, H, Sq): the natural log of the sum of exp(scaled scores) over the keys.
    A query that sees no key gives 0 and an lse of -inf.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="flash-forward",
    title=Text("FlashAttention's forward pass, tile by tile", "FlashAttention 前向：逐块计算"),
    stub=STUB,
    hints=(
        Text(
            "You may hold one tile of scores at a time. What must you remember of the tiles before, so that the softmax "
            "over all keys comes out in the end? Three things: which?",
            "任何时候只能保留一块打分。要让最后得到对全部 key 的 softmax，前面各块需要记住什么？一共三样：哪三样？",
        ),
        Text(
            "Per query: the running maximum m (start: -inf), the sum l of exp(s - m), the unnormalised output o. When a tile "
            "raises m to m_new, l and o are both multiplied by exp(m - m_new) before the tile is added. The last tile is "
            "shorter, and a causal mask is made for the tile alone.",
            "每个 query 记：当前最大值 m（初值 -inf）、exp(s - m) 之和 l、未归一化的输出 o。某块使 m 变为 m_new 时，"
            "先把 l 和 o 都乘以 exp(m - m_new)，再加上这一块。最后一块可能较短；因果掩码只为这一块生成。",
        ),
        Text(
            "for j in range(0, Sk, b): s = q @ k[..., j:j+b, :].mT * c; m_new = torch.maximum(m, s.amax(-1)); "
            "a = (m - m_new).exp(); p = (s - m_new[..., None]).exp(); l = l * a + p.sum(-1); "
            "o = o * a[..., None] + p @ v[..., j:j+b, :]; m = m_new. At the end o / l and m + log(l). Where m_new is "
            "still -inf, subtract 0 instead.",
            "for j in range(0, Sk, b)：s = q @ k[..., j:j+b, :].mT * c；m_new = torch.maximum(m, s.amax(-1))；"
            "a = (m - m_new).exp()；p = (s - m_new[..., None]).exp()；l = l * a + p.sum(-1)；"
            "o = o * a[..., None] + p @ v[..., j:j+b, :]；m = m_new。最后返回 o / l 和 m + log(l)。"
            "m_new 仍为 -inf 时改减 0。",
        ),
    ),
    questions=("flash-attention", "online-softmax", "score-memory", "causal-alignment"),
    family="function",
    attends=True,
    names=r"(?!.*(back|bwd|grad)).*flash\w*|(?!.*(back|bwd|grad)).*(tiled|blockwise|blocked|chunked|memoryefficient|onlinesoftmax|tile|block)\w*(attention|attn)\w*|(attention|attn)\w*(tiled|blockwise|blocked|chunked)",
    first_hint={
        "efficiency": 1,
        "not-tiled": 1,
        "accumulator-not-rescaled": 2,
        "denominator-not-rescaled": 2,
        "max-not-kept": 2,
        "max-initialised-finite": 2,
        "tail-dropped": 2,
        "tail-not-masked": 2,
        "causal-": 2,
        "no-max-subtraction": 2,
        "missing-scale": 3,
        "scale-": 3,
        "lse-wrong": 3,
        "inf-minus-inf": 3,
    },
    order=13,
)
