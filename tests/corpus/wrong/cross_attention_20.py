import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """context_mask marks real context tokens with True"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context, context_mask=None):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                   for t in (self.q(x), self.k(context), self.v(context)))
        s = q @ k.mT * q.size(-1) ** -0.5
        if context_mask is not None:
            n = min(s.shape[-2], context_mask.shape[-1])
            dead = torch.zeros(s.shape[0], s.shape[-2], dtype=torch.bool)
            dead[:, :n] = ~context_mask[:, :n]
            s = s.masked_fill(dead[:, None, :, None], -6e4)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
