import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x, context):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                   for t in (self.q(x), self.k(context), self.v(context)))
        w = torch.softmax(q @ k.mT / q.size(-1) ** 0.5, dim=1)
        return (w @ v).transpose(1, 2).flatten(2)
