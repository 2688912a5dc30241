import torch
import torch.nn as nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    """context_mask True = real token"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context, context_mask=None):
        q, k = self.q(x), self.k(context)
        v = F.linear(context, self.v.weight)
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for t in (q, k, v))
        s = q @ k.mT * q.size(-1) ** -0.5
        if context_mask is not None:
            s = s.masked_fill(~context_mask[:, None, None, :], torch.finfo(s.dtype).min)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
