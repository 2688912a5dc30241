import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """context_mask: (B, Sk), True = real token"""

    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, d_model)
        self.kv = nn.Linear(d_context or d_model, 2 * d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x, context, context_mask=None):
        f = lambda t: t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        q = f(self.q(x))
        k, v = map(f, self.kv(context).chunk(2, -1))
        s = q @ k.mT
        if context_mask is not None:
            s = s + context_mask[:, None, None].to(s.dtype) * -1e30
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
