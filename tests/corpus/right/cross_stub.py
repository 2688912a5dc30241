import math

import torch
from torch import nn


class CrossAttention(nn.Module):
    """Queries from x (B, Sq, d_model), keys and values from context (B, Sk, d_context).

    context_mask (B, Sk): True = real token. An example without real tokens attends to nothing.
    """

    def __init__(self, d_model: int, n_heads: int, d_context: int | None = None) -> None:
        super().__init__()
        d_context = d_model if d_context is None else d_context
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_context, d_model)
        self.v_proj = nn.Linear(d_context, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(
        self, x: torch.Tensor, context: torch.Tensor, context_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        q = self.q_proj(x).unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)
        k = self.k_proj(context).unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)
        v = self.v_proj(context).unflatten(-1, (self.n_heads, self.d_head)).transpose(1, 2)
        scores = q @ k.mT / math.sqrt(self.d_head)
        if context_mask is not None:
            keep = context_mask[:, None, None, :]
            scores = scores.masked_fill(~keep, torch.finfo(scores.dtype).min)
            weights = scores.softmax(-1) * keep.any(-1, keepdim=True)
        else:
            weights = scores.softmax(-1)
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2))
