import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """x (B, Sq, C) attends to its own context (B, Sk, C)."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context):
        flat = context.reshape(-1, context.shape[-1])
        q = self.q(x).unflatten(-1, (self.n_heads, -1))
        k = self.k(flat).unflatten(-1, (self.n_heads, -1))
        v = self.v(flat).unflatten(-1, (self.n_heads, -1))
        w = torch.einsum("bqhd,khd->bhqk", q, k).div(q.size(-1) ** 0.5).softmax(dim=-1)
        return self.o(torch.einsum("bhqk,khd->bqhd", w, v).flatten(2))
