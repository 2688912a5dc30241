import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        d_context = d_context or d_model
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_context, d_model)
        self.v = nn.Linear(d_context, d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x, context, context_mask=None):
        f = lambda t: t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        q, k, v = f(self.q(x)), f(self.k(x)), f(self.v(x))
        s = q @ k.mT / q.shape[-1] ** 0.5
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
