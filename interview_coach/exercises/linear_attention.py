"""Linear attention (Katharopoulos et al., "Transformers are RNNs", 2020, sections 3.2 and 3.3)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: linear-attention
import torch


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool = False) -> torch.Tensor:
    """Attention with the feature map phi(x) = elu(x) + 1 in place of the softmax: linear in the length.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv). Normalised: the weights of a query add up to 1. No scale.
    causal=True: query i sees keys j <= i; then Sq = Sk. Returns (B, H, Sq, Dv).
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="linear-attention",
    attends=True,
    title=Text("Linear attention with elu + 1", "线性注意力（elu + 1）"),
    stub=STUB,
    hints=(
        Text(
            "Without a softmax the product is associative: (phi(q) phi(k)ᵀ) "
            "v = phi(q) (phi(k)ᵀ v). What size has the inner product now?",
            "没有 softmax，矩阵乘可以换括号：(phi(q) phi(k)ᵀ) v = phi(q) (phi(k)ᵀ v)。现在里面那个乘积多大？",
        ),
        Text(
            "The weights still have to add up to 1: divide by phi(q) · Σ phi(k). "
            "Causal: both sums run only to position i, as cumulative sums.",
            "权重之和仍要为 1：除以 phi(q) · Σ phi(k)。因果情形：两个和都只累加到位置 i，即累积和。",
        ),
        Text(
            "q, k = F.elu(q) + 1, F.elu(k) + 1; out = q @ (k.mT @ v) / (q @ k.sum(-2)[..., None]). Causal: "
            "kv = (k[..., :, None] * v[..., None, :]).cumsum(-3), z = k.cumsum(-2); "
            "out = (q[..., None, :] @ kv)[..., 0, :] / (q * z).sum(-1, keepdim=True).",
            "q, k = F.elu(q) + 1, F.elu(k) + 1；out = q @ (k.mT @ v) / (q @ k.sum(-2)[..., None])。因果："
            "kv = (k[..., :, None] * v[..., None, :]).cumsum(-3)，z = k.cumsum(-2)；"
            "out = (q[..., None, :] @ kv)[..., 0, :] / (q * z).sum(-1, keepdim=True)。",
        ),
    ),
    questions=("linear-attention", "attention-complexity", "long-sequences"),
    family="function",
    names=r".*linear(ised|ized)?(causal|self)?(attention|attn|transformer)\w*|.*(attention|attn)linear\w*|(elu|kernel|feature)\w*(attention|attn)\w*",
    first_hint={
        "linear-missing-feature-map": 1,
        "linear-missing-normaliser": 2,
        "linear-not-causal": 2,
        "causal-": 3,
    },
    order=24,
)
