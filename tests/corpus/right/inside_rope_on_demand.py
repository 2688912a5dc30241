import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, use_rope=True):
        super().__init__()
        self.h, self.use_rope = n_heads, use_rope
        self.wq = nn.Parameter(torch.randn(d_model, d_model) * 0.1)
        self.wk = nn.Parameter(torch.randn(d_model, d_model) * 0.1)
        self.wv = nn.Parameter(torch.randn(d_model, d_model) * 0.1)
        self.wo = nn.Parameter(torch.randn(d_model, d_model) * 0.1)

    def _rot(self, x):
        d = x.shape[-1]
        a = torch.arange(x.shape[-2])[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
        z = torch.complex(x[..., 0::2].float(), x[..., 1::2].float()) * torch.exp(1j * a)
        return torch.stack([z.real, z.imag], -1).flatten(-2).to(x.dtype)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = ((x @ w).view(b, n, self.h, -1).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        if self.use_rope:
            q, k = self._rot(q), self._rot(k)
        a = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1)
        return (a @ v).transpose(1, 2).reshape(b, n, c) @ self.wo
