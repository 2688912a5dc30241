import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def fold(self, t):
        b, s, c = t.shape
        return t.view(b, s, self.n_heads, -1).transpose(1, 2).reshape(b * self.n_heads, s, -1)

    def forward(self, x, context, context_mask=None):
        """context_mask (B, Sk) True = real"""
        q, k, v = self.fold(self.q(x)), self.fold(self.k(context)), self.fold(self.v(context))
        a = torch.bmm(q, k.transpose(1, 2)) * q.size(-1) ** -0.5
        if context_mask is not None:
            m = context_mask.repeat(self.n_heads, 1).unsqueeze(1)
            a = a.masked_fill(~m, torch.finfo(a.dtype).min)
        o = torch.bmm(a.softmax(-1), v)
        return self.o(o.view(x.size(0), self.n_heads, x.size(1), -1).transpose(1, 2).flatten(2))
