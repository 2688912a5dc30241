import torch
from torch import nn


def apply_rope(x):
    d = x.shape[-1] // 2
    a = torch.arange(x.shape[-2])[:, None] * 10000.0 ** (-torch.arange(d) / d)
    return torch.cat([x[..., :d] * a.cos() - x[..., d:] * a.sin(), x[..., d:] * a.cos() + x[..., :d] * a.sin()], -1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, use_rope=False):
        super().__init__()
        self.h, self.use_rope = n_heads, use_rope
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = (f(x).view(b, n, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        if self.use_rope:
            q, k = apply_rope(q), apply_rope(k)
        a = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1)
        return self.o((a @ v).transpose(1, 2).reshape(b, n, c))
