"""Causal attention, also for fewer queries than keys."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: causal
import torch


def causal_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Causal attention, aligned to the bottom right: query i sees keys j <= i + Sk - Sq.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv); Sq may differ from Sk: the last query is at the last key.
    Scale: 1 / sqrt(D). A query before the first key (Sq > Sk) gives 0.
    Returns (B, H, Sq, Dv) in the dtype of q.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="causal",
    title=Text("Causal attention with the diagonal in the right corner", "对角线对齐正确的因果注意力"),
    stub=STUB,
    hints=(
        Text(
            "With a KV cache there are fewer queries than keys. Which key does the last query stand at? Which may the first see?",
            "有 KV cache 时 query 比 key 少。最后一个 query 对应哪个 key？第一个 query 能看到哪些 key？",
        ),
        Text(
            "Query i stands at position i + Sk - Sq, so it sees keys j <= i + Sk - Sq, itself included: the diagonal of tril is shifted by Sk - Sq.",
            "query i 位于 i + Sk - Sq，能看到 j <= i + Sk - Sq 的 key（含自身）：tril 的对角线要平移 Sk - Sq。",
        ),
        Text(
            "keep = torch.ones(Sq, Sk, dtype=torch.bool).tril(Sk - Sq); s = (q @ k.mT * D ** -0.5).masked_fill(~keep, -inf); "
            "softmax over dim=-1, rows without a key set to 0, times v.",
            "keep = torch.ones(Sq, Sk, dtype=torch.bool).tril(Sk - Sq)；s = (q @ k.mT * D ** -0.5).masked_fill(~keep, -inf)；"
            "对 dim=-1 做 softmax，没有 key 的行置 0，再乘 v。",
        ),
    ),
    questions=("masks-basics", "causal-alignment", "fully-masked-row", "why-sqrt-dk"),
    family="attention",
    names=r".*(causal|decoder|masked(self|multi)|autoregressive|gpt).*",
    causal=True,
    first_hint={
        "mask": 1,
        "formula": 2,
        "causal-top-left": 1,
        "causal-missing": 1,
        "causal-reversed": 2,
        "causal-leaks-next": 2,
        "causal-hides-self": 2,
        "missing-scale": 3,
        "scale-": 3,
        "softmax-wrong-axis": 3,
    },
    order=3,
)
