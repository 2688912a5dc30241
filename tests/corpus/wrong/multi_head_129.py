import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """mask (B, S, S), True = may attend; heads are folded into the batch"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, mask=None):
        B, S, C = x.shape
        f = lambda t: t.view(B, S, self.n_heads, -1).transpose(1, 2).reshape(B * self.n_heads, S, -1)
        q, k, v = f(self.q(x)), f(self.k(x)), f(self.v(x))
        s = torch.bmm(q, k.mT) * q.shape[-1] ** -0.5
        if mask is not None:
            s = s.masked_fill(~mask.repeat(self.n_heads, 1, 1), -torch.inf)
        o = torch.bmm(s.softmax(-1), v).view(B, self.n_heads, S, -1)
        return self.o(o.transpose(1, 2).reshape(B, S, C))
