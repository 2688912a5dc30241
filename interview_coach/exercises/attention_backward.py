"""The backward pass of attention (Dao et al., "FlashAttention", 2022, appendix B.2)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: attention-backward
import torch


def attention_backward(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, d_out: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Gradients of softmax(q k^T / sqrt(D)) v, by hand.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv), d_out: (B, H, Sq, Dv), the gradient of the output.
    Returns (dq, dk, dv) in the shapes of q, k and v. Autograd is not accepted.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="attention-backward",
    title=Text("The backward pass of attention, by hand", "手写注意力的反向传播"),
    stub=STUB,
    hints=(
        Text(
            "Write the forward pass in three lines (S, P, O) and go "
            "through it backwards. What shape must each gradient have?",
            "把前向写成三行（S、P、O），再倒着走一遍。每个梯度应是什么形状？",
        ),
        Text(
            "dV = Pᵀ dO and dP = dO Vᵀ. Through the softmax: dS = P ∘ "
            "(dP - rowsum(P ∘ dP)). The scale belongs to dQ and to dK.",
            "dV = Pᵀ dO，dP = dO Vᵀ。过 softmax：dS = P ∘ (dP - rowsum(P ∘ dP))。缩放因子 dQ 和 dK 都要乘。",
        ),
        Text(
            "p = softmax(q @ k.mT * c, -1); dp = d_out @ v.mT; ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * c; "
            "return ds @ k, ds.mT @ q, p.mT @ d_out, with c = D ** -0.5.",
            "p = softmax(q @ k.mT * c, -1)；dp = d_out @ v.mT；ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * c；"
            "返回 ds @ k, ds.mT @ q, p.mT @ d_out，其中 c = D ** -0.5。",
        ),
    ),
    questions=("softmax-backward", "flash-attention-backward", "attention-formula-shapes", "why-sqrt-dk"),
    family="function",
    names=r"(?!.*flash).*(attention|attn|sdpa|attend)\w*(backward|bwd|grad|gradients?|vjp|backprop|bp)\w*|(backward|grad|bwd)\w*(attention|attn|sdpa)\w*",
    first_hint={
        "shape": 1,
        "backward-missing-rowsum": 2,
        "backward-cross-entropy": 2,
        "backward-missing-scale": 2,
        "backward-transposed": 1,
        "missing-scale": 2,
        "scale-": 2,
        "stability": 3,
        "no-max-subtraction": 3,
    },
    order=21,
)
