import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads, token_drop=0.2):
        super().__init__()
        self.n_heads, self.token_drop = n_heads, token_drop
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                   for t in (self.q(x), self.k(context), self.v(context)))
        s = q @ k.mT / q.size(-1) ** 0.5
        drop = torch.rand(s.shape[-1]) < self.token_drop
        drop[0] = False
        return self.o((s.masked_fill(drop, float("-inf")).softmax(-1) @ v).transpose(1, 2).flatten(2))
