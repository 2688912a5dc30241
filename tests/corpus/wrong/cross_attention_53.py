import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """decoder x attends to context. context_mask (B, Sk), True = real token."""

    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_context or d_model, d_model)
        self.v = nn.Linear(d_context or d_model, d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x, context, context_mask=None):
        b, n, c = x.shape
        f = lambda t: t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        q, k, v = f(self.q(x)), f(self.k(context)), f(self.v(context))
        s = q @ k.mT * q.shape[-1] ** -0.5
        if context_mask is not None:
            if context_mask.size(1) == n:
                context_mask = context_mask[:, None, :, None]
            else:
                m = torch.ones(b, n, dtype=torch.bool)
                u = min(n, context_mask.size(1))
                m[:, :u] = context_mask[:, :u]
                context_mask = m[:, None, :, None]
            s = s.masked_fill(~context_mask, -1e30)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
