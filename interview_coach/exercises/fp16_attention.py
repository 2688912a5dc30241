"""Attention in half precision (Micikevicius et al., "Mixed Precision Training", 2018, section 3.3: sums in single)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: fp16-attention
import torch


def attention_fp16(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Attention in half precision: softmax(q k^T / sqrt(D)) v.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv), all torch.float16.
    Finite and accurate also where q k^T passes 65504, the largest number of fp16.
    Returns (B, H, Sq, Dv) in torch.float16.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="fp16-attention",
    title=Text("Attention in half precision that does not overflow", "不溢出的半精度注意力"),
    stub=STUB,
    hints=(
        Text(
            "The largest number of fp16 is 65504. Take q = k = 100 in 64 channels: how large is q · k, and at which "
            "line of your code does it become inf?",
            "fp16 的最大值是 65504。64 个通道上 q = k = 100 时，q · k 有多大？在代码的哪一行变成 inf？",
        ),
        Text(
            "Either scale q before the product, or compute the product in fp32. The softmax belongs in fp32 as well, with "
            "the maximum of the row subtracted; and the result goes back to the dtype that came in.",
            "要么在乘积之前先缩放 q，要么用 fp32 算乘积。softmax 也应在 fp32 中做，并减去每行最大值；结果再转回输入的 dtype。",
        ),
        Text(
            "s = (q.float() * D ** -0.5) @ k.float().mT; p = torch.softmax(s, -1); return (p @ v.float()).to(q.dtype).",
            "s = (q.float() * D ** -0.5) @ k.float().mT；p = torch.softmax(s, -1)；返回 (p @ v.float()).to(q.dtype)。",
        ),
    ),
    questions=("fp16-overflow-bf16", "why-subtract-max", "why-sqrt-dk"),
    family="function",
    attends=True,
    names=r"(?!.*flash).*(attention|attn|sdpa|attend)\w*(fp16|f16|float16|half|mixed|lowprec)\w*|(?!.*flash).*(fp16|f16|float16|half|mixed|lowprec)\w*(attention|attn|sdpa|attend)\w*",
    order=12,
    first_hint={
        "stability": 1,
        "half-overflow-before-scale": 1,
        "no-max-subtraction": 2,
        "dtype": 2,
        "low-precision-inside": 2,
        "dtype-not-preserved": 3,
        "missing-scale": 3,
        "scale-": 3,
        "softmax-wrong-axis": 3,
    },
)
