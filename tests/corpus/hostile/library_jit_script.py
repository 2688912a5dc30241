from typing import Optional

import torch
import torch.nn.functional as F


@torch.jit.script
def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
    return F.scaled_dot_product_attention(q, k, v, mask)
