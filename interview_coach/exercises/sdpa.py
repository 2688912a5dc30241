"""Scaled dot-product attention with a mask."""

from interview_coach.exercises.base import Exercise
from interview_coach.text import Text

STUB = '''# coach: sdpa
import torch


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """Scaled dot-product attention.

    q: (B, H, Sq, D), k: (B, H, Sk, D), v: (B, H, Sk, Dv); Sq may differ from Sk, Dv from D.
    mask: broadcastable to (B, H, Sq, Sk). Boolean: True = may attend. Floating: added to the scores.
    Scale: 1 / sqrt(D). A query with nothing to attend to gives 0.
    Returns (B, H, Sq, Dv) in the dtype of q. F.scaled_dot_product_attention is not accepted.
    """
    raise NotImplementedError
'''

EXERCISE = Exercise(
    id="sdpa",
    title=Text("Scaled dot-product attention with a mask", "带掩码的缩放点积注意力"),
    stub=STUB,
    hints=(
        Text(
            "Four steps: scores of every query with every key, the scale, the mask, a softmax over the keys, then a weighted sum of the values. "
            "Write the shape of each down first.",
            "四步：每个 query 与每个 key 的打分，缩放，掩码，对 key 做 softmax，再对 value 加权求和。先把每一步的形状写下来。",
        ),
        Text(
            "scores = q @ k.transpose(-2, -1) has shape (B, H, Sq, Sk). Divide by the root of the last dim of q. "
            "Masked scores become -inf before the softmax over dim=-1.",
            "scores = q @ k.transpose(-2, -1)，形状 (B, H, Sq, Sk)。除以 q 最后一维的平方根。softmax（dim=-1）之前把被遮的打分设为 -inf。",
        ),
        Text(
            "s = q @ k.mT * q.size(-1) ** -0.5; if the mask is boolean: s = s.masked_fill(~mask, -inf), else s = s + mask; "
            "p = s.softmax(-1), with rows that are -inf everywhere set to 0; return p @ v.",
            "s = q @ k.mT * q.size(-1) ** -0.5；布尔掩码：s = s.masked_fill(~mask, -inf)，否则 s = s + mask；"
            "p = s.softmax(-1)，全 -inf 的行置 0；返回 p @ v。",
        ),
    ),
    questions=("why-sqrt-dk", "attention-formula-shapes", "softmax-axis", "masks-basics", "fully-masked-row"),
    family="attention",
    names=r"(scaled)?(dotproduct|dot)?(self)?(attention|attn|sdpa|attend)(fn|func|forward|numpy|np|torch|naive|simple|layer|core|head)?|scaleddotproduct(self)?(attention|attn)?.*|sdpa.*|(vanilla|basic|plain|naive|single|onehead|singlehead)(self)?(attention|attn).*|selfattention.*",
    first_hint={
        "missing-scale": 2,
        "scale-": 2,
        "scale-after-softmax": 1,
        "softmax-wrong-axis": 2,
        "softmax-missing": 1,
        "scores-transposed": 2,
        "mask-added-as-bool": 3,
        "mask-inverted": 3,
        "mask-overwritten": 3,
    },
    order=2,
)
