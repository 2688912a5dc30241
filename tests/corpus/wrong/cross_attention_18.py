import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """mask: True = real"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context, context_mask=None):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                   for t in (self.q(x), self.k(context), self.v(context)))
        w = (q @ k.mT * q.size(-1) ** -0.5).softmax(-1)
        if context_mask is not None:
            v = v * context_mask[:, None, :, None].to(v.dtype)     # padding contributes nothing
        return self.o((w @ v).transpose(1, 2).flatten(2))
