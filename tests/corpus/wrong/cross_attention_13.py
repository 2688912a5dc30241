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
        """context_mask: bool (B, Sk), True = real token, False = padding."""
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                   for t in (self.q(x), self.k(context), self.v(context)))
        s = q @ k.mT * q.size(-1) ** -0.5
        if context_mask is not None:
            s = s.masked_fill(context_mask[:, None, None, :], torch.finfo(s.dtype).min)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
