import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context, context_mask=None):
        """context_mask True: real token"""
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                   for t in (self.q(x), self.k(context), self.v(context)))
        s = q @ k.mT * q.size(-1) ** -0.5
        if context_mask is not None:
            s = s.masked_fill(context_mask.logical_not()[:, None, None, :], -10.0)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
