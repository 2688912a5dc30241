import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1))
                   for t in (self.q(x), self.k(context), self.v(context)))
        w = torch.einsum("bqhd,bkhd->bhqk", q, k).div(q.size(-1) ** 0.5).softmax(-1).mean(1)
        return self.o(torch.einsum("bqk,bkhd->bqhd", w, v).flatten(2))
