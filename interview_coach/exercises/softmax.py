"""Softmax that does not overflow."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: softmax
import torch


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Softmax of x along dim: exp(x) / sum(exp(x)), each slice sums to 1.

    x: any shape, float; entries may be -inf (they get weight 0).
    Stable for logits of any size. A slice that is -inf everywhere gives 0.
    Write it out: torch.softmax and F.softmax are not accepted here.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="softmax",
    title=Text("Softmax that survives large logits", "大数值下也稳定的 softmax"),
    stub=STUB,
    hints=(
        Text(
            "What does exp(1000) give in float32? Which number can you subtract from every logit without changing the result?",
            "float32 里 exp(1000) 等于多少？从每个 logit 里减去哪个数，结果不会变？",
        ),
        Text(
            "Subtract the maximum along dim, keeping that dim (keepdim=True), before exp: then every exponent is at most 0.",
            "在 exp 之前沿 dim 减去最大值，并保留该维（keepdim=True）：这样每个指数都不超过 0。",
        ),
        Text(
            "m = x.amax(dim, keepdim=True); e = (x - m).exp(); return e / e.sum(dim, keepdim=True). "
            "For a slice of only -inf, m is -inf and x - m is NaN: replace m by 0 there, and divide by 1 where the sum is 0.",
            "m = x.amax(dim, keepdim=True)；e = (x - m).exp()；返回 e / e.sum(dim, keepdim=True)。"
            "若一行全是 -inf，则 m 是 -inf，x - m 得 NaN：此处把 m 换成 0，和为 0 时除以 1。",
        ),
    ),
    questions=("softmax-axis", "why-subtract-max", "softmax-backward"),
    family="softmax",
    names=r".*softmax.*",
    forbidden=frozenset({"softmax"}),
    first_hint={
        "softmax-wrong-axis": 2,
        "formula": 3,
        "softmax-missing": 3,
        "no-max-subtraction": 1,
        "stability": 1,
        "stability.minus-infinity": 3,
        "stability.all-minus-infinity": 3,
        "dtype": 1,
    },
    order=1,
)
