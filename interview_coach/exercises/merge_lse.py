"""Merging two partial results of attention (Dao et al., "FlashAttention", 2022, section 3.1)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: merge-lse
import torch


def merge_attention(
    out_a: torch.Tensor, lse_a: torch.Tensor, out_b: torch.Tensor, lse_b: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Attention over the union of two disjoint sets of keys, from the results over each.

    out_a, out_b: (B, H, S, D), each normalised over its own keys.
    lse_a, lse_b: (B, H, S), natural log of the sum of exp of the scaled scores; -inf where a part has no keys.
    Returns (out, lse) over all keys. Where both parts have no keys: 0 and -inf.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="merge-lse",
    title=Text("Merging partial attention by log-sum-exp", "用 log-sum-exp 合并部分注意力结果"),
    stub=STUB,
    hints=(
        Text(
            "Each part divided by its own sum of exps. What is that sum, "
            "in terms of lse, and what must the merged result divide by?",
            "每一段都除过自己的 exp 之和。这个和用 lse 怎么表示？合并后应该除以什么？",
        ),
        Text(
            "The weight of part a is exp(lse_a) / (exp(lse_a) + "
            "exp(lse_b)). Subtract the larger of the two log-sum-exps first.",
            "a 段的权重是 exp(lse_a) / (exp(lse_a) + exp(lse_b))。先减去两个 lse 中较大的那个。",
        ),
        Text(
            "m = torch.maximum(lse_a, lse_b), 0 where it is -inf; a, b = (lse_a - m).exp(), (lse_b - m).exp(); "
            "out = (a[..., None] * out_a + b[..., None] * out_b) / (a + b)[..., None]; lse = m + (a + b).log().",
            "m = torch.maximum(lse_a, lse_b)，为 -inf 处取 0；a, b = (lse_a - m).exp(), (lse_b - m).exp()；"
            "out = (a[..., None] * out_a + b[..., None] * out_b) / (a + b)[..., None]；lse = m + (a + b).log()。",
        ),
    ),
    questions=("online-softmax", "flash-attention", "does-flash-help-decode"),
    family="function",
    names=r"(merge|combine|mergeattn|join|lse(merge|combine)|reduce)\w*(attention|attn|lse|states?|partials?|outputs?|results?|softmax|blocks?|splits?|chunks?)?\w*",
    first_hint={
        "merge-averaged": 1,
        "merge-weights-swapped": 2,
        "merge-no-max": 2,
        "lse-wrong": 3,
        "inf-minus-inf": 3,
        "stability": 2,
        "base-two-exponent": 2,
    },
    order=22,
)
