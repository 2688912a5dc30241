import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """qkv laid out as q, k, v along the last axis"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        f = lambda t: t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        q, k, v = f(self.q_proj(x)), f(self.v_proj(x)), f(self.v_proj(x))
        p = (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1)
        return self.o_proj((p @ v).transpose(1, 2).flatten(2))
