import torch
from torch import nn


def rotate_half(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


def apply_rope(x, pos, base=10000.0):
    d = x.shape[-1]
    ang = pos[:, None] * base ** (-torch.arange(0, d, 2) / d)
    ang = torch.cat([ang, ang], -1)
    return x * ang.cos().to(x.dtype) + rotate_half(x) * ang.sin().to(x.dtype)


class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = (p(x).view(b, n, self.h, -1).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        pos = torch.arange(n)
        apply_rope(q, pos), apply_rope(k, pos)
        s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        return self.o_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(b, n, c))
