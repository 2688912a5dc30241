import math
import torch
from torch import Tensor
from typing import NamedTuple, Optional


class AttnResult(NamedTuple):
    weights: Tensor
    context: Tensor


def scaled_dot_attention(q: Tensor, k: Tensor, v: Tensor, *, bias: Optional[Tensor] = None) -> AttnResult:
    """Weights first, then the context. `bias` is a float tensor added to the logits."""
    logits = q.matmul(k.mT).mul(1.0 / math.sqrt(k.size(-1)))
    if bias is not None:
        logits = logits + bias
    w = torch.exp(torch.log_softmax(logits, -1))
    return AttnResult(weights=w, context=w.matmul(v))
