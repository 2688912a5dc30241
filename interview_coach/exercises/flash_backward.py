"""FlashAttention's backward pass (Dao, "FlashAttention-2", 2023, section 3.1, algorithm 2)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: flash-backward
import torch


def flash_attention_backward(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    out: torch.Tensor,
    lse: torch.Tensor,
    d_out: torch.Tensor,
    causal: bool = False,
    block_size: int = 64,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Gradients of softmax(q k^T / sqrt(D)) v, tile by tile, from what the forward pass kept.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv); out and d_out, its gradient: (B, H, Sq, Dv).
    lse: (B, H, Sq), the natural log of the sum of exp(scaled scores) over the keys.
    causal: query i sees keys j <= i + Sk - Sq (aligned to the bottom right).
    Extra memory grows with S, not with S squared. Autograd is not accepted.
    Returns (dq, dk, dv) in the shapes of q, k and v.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="flash-backward",
    title=Text("FlashAttention's backward pass, tile by tile", "FlashAttention 反向：逐块重算"),
    stub=STUB,
    hints=(
        Text(
            "The weights P were never stored. Which number a query is enough to get a tile of them back from a tile of "
            "scores, already normalised?",
            "前向没有保存权重 P。每个 query 只需哪一个数，就能由一块打分直接得到已归一化的那一块权重？",
        ),
        Text(
            "P = exp(S - lse). The row sum of P ∘ dP over all keys is not at hand in a tile, but it equals rowsum(dO ∘ O): "
            "compute it once. Then per tile: dV += Pᵀ dO, dS = P ∘ (dO Vᵀ - D), dQ += dS K, dK += dSᵀ Q; the scale goes to "
            "dQ and to dK.",
            "P = exp(S - lse)。一块之内拿不到 P ∘ dP 对全部 key 的行和，但它等于 rowsum(dO ∘ O)：只需算一次。然后每块："
            "dV += Pᵀ dO，dS = P ∘ (dO Vᵀ - D)，dQ += dS K，dK += dSᵀ Q；缩放因子 dQ 和 dK 都要乘。",
        ),
        Text(
            "D = (d_out * out).sum(-1, keepdim=True). For each tile j of keys and i of queries: "
            "p = (q_i @ k_j.mT * c - lse_i[..., None]).exp(), 0 where hidden; ds = p * (do_i @ v_j.mT - D_i) * c; "
            "dv[j] += p.mT @ do_i; dq[i] += ds @ k_j; dk[j] += ds.mT @ q_i. All three start from zeros.",
            "D = (d_out * out).sum(-1, keepdim=True)。对每个 key 块 j 和 query 块 i："
            "p = (q_i @ k_j.mT * c - lse_i[..., None]).exp()，被遮处为 0；ds = p * (do_i @ v_j.mT - D_i) * c；"
            "dv[j] += p.mT @ do_i；dq[i] += ds @ k_j；dk[j] += ds.mT @ q_i。三者都从 0 开始累加。",
        ),
    ),
    questions=("flash-attention-backward", "softmax-backward", "flash-attention"),
    family="function",
    names=r".*flash\w*(back|bwd|grad)\w*|.*(back|bwd|grad)\w*flash\w*|.*(tiled|blockwise|blocked|chunked)\w*(attention|attn)\w*(back|bwd|grad)\w*",
    first_hint={
        "efficiency": 1,
        "not-tiled": 1,
        "lse-wrong": 1,
        "base-two-exponent": 1,
        "backward-missing-rowsum": 2,
        "backward-cross-entropy": 2,
        "gradient-wrong": 2,
        "backward-missing-scale": 2,
        "missing-scale": 2,
        "scale-": 2,
        "tail-dropped": 3,
        "backward-transposed": 3,
        "uninitialised-memory": 3,
        "causal-": 3,
    },
    order=14,
)
