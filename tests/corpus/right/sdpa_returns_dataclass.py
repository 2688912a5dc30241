from dataclasses import dataclass
from typing import Optional

import torch


@dataclass
class AttnResult:
    hidden: torch.Tensor
    attn: Optional[torch.Tensor] = None


def sdp(q, k, v, *, need_weights: bool = False) -> AttnResult:
    w = torch.softmax(q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5, -1)
    return AttnResult(hidden=w @ v, attn=w if need_weights else None)
