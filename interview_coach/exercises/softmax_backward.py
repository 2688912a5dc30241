"""The backward pass of softmax (Dao et al., "FlashAttention", 2022, appendix B.2)."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: softmax-backward
import torch


def softmax_backward(p: torch.Tensor, dp: torch.Tensor) -> torch.Tensor:
    """Gradient with respect to the logits of p = softmax(s, dim=-1).

    p: (B, H, Sq, Sk), rows sum to 1; dp: the gradient of the loss with respect to p, same shape.
    Returns ds of the same shape. Do not build the Sk x Sk Jacobian; autograd is not accepted.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="softmax-backward",
    title=Text("The backward pass of softmax", "softmax 的反向传播"),
    stub=STUB,
    hints=(
        Text(
            "Every output of a softmax depends on every logit of its row. What is dp_i/ds_j for i = j, and for i ≠ j?",
            "softmax 的每个输出都依赖同一行的所有 logit。i = j 与 i ≠ j 时，dp_i/ds_j 各是什么？",
        ),
        Text(
            "The Jacobian of a row is diag(p) - p pᵀ. Multiply it by dp "
            "by hand: the matrix disappears, one sum along the row is left.",
            "一行的雅可比是 diag(p) - p pᵀ。手工把它乘上 dp：矩阵消失，只剩沿该行的一个求和。",
        ),
        Text(
            "ds = p * (dp - (p * dp).sum(-1, keepdim=True)).",
            "ds = p * (dp - (p * dp).sum(-1, keepdim=True))。",
        ),
    ),
    questions=("softmax-backward", "softmax-axis", "flash-attention-backward"),
    family="function",
    names=r"(d|grad)?softmax(grad|gradient|backward|bwd|back|vjp|jvp|derivative|prime|bp)\w*|(backward|grad|d|bwd|back)(of)?softmax\w*",
    first_hint={
        "shape": 1,
        "softmax-wrong-axis": 2,
        "backward-missing-rowsum": 2,
        "backward-cross-entropy": 1,
        "gradient-wrong": 2,
        "formula": 2,
    },
    order=20,
)
