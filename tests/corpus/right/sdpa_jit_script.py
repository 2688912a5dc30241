from typing import Optional

import torch


@torch.jit.script
def scripted_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: Optional[torch.Tensor] = None
) -> torch.Tensor:
    # mask: bool, True = 可见
    w = torch.matmul(q, k.transpose(-2, -1)) * (q.size(-1) ** -0.5)
    if mask is not None:
        w = w.masked_fill(mask.logical_not(), float("-inf"))
    return torch.matmul(torch.softmax(w, dim=-1), v)
