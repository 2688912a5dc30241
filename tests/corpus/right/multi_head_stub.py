import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Self-attention on (batch, seq, d_model). mask: True = may attend, broadcastable to (B, H, S, S)."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        if d_model % n_heads:
            raise ValueError("d_model must be a multiple of n_heads")
        self.n_heads = n_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def _heads(self, t: torch.Tensor) -> torch.Tensor:
        return t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        q, k, v = self._heads(self.w_q(x)), self._heads(self.w_k(x)), self._heads(self.w_v(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        empty = torch.isneginf(scores).all(-1, keepdim=True)
        p = scores.masked_fill(empty, 0.0).softmax(-1).masked_fill(empty, 0.0)
        return self.w_o((p @ v).transpose(1, 2).flatten(2))
