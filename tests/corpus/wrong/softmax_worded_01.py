# coach: softmax
import math
import torch


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Softmax of x along dim: exp(x) / sum(exp(x)), each slice sums to 1.

    x: any shape, float; entries may be -inf (they get weight 0).
    Stable for logits of any size. A slice that is -inf everywhere gives 0.
    Write it out: torch.softmax and F.softmax are not accepted here.
    """
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)
