from __future__ import annotations

import torch
from torch import Tensor


def attend(*, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None = None) -> Tensor:
    """Attention in fp32 whatever comes in; the result has the dtype of ``query``.

    Args:
        query: (B, H, Sq, D).
        key: (B, H, Sk, D).
        value: (B, H, Sk, Dv).
        attention_mask: floating, added to the scores; broadcastable to (B, H, Sq, Sk).
    """
    scores = torch.matmul(query.float(), key.float().transpose(-1, -2)) * query.shape[-1] ** -0.5
    if attention_mask is not None:
        scores = scores + attention_mask.float()
    return torch.matmul(scores.softmax(-1), value.float()).to(query.dtype)
