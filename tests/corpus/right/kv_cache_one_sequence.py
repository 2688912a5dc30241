import torch
from torch import nn
class KVCache:
    def __init__(self, max_len, n_heads, head_dim):
        self.k = torch.zeros(1, n_heads, max_len, head_dim)
        self.v = torch.zeros(1, n_heads, max_len, head_dim)
        self.n = 0
    def update(self, k, v):
        t = k.shape[2]
        self.k[:, :, self.n:self.n+t] = k
        self.v[:, :, self.n:self.n+t] = v
        self.n += t
        return self.k[:, :, :self.n], self.v[:, :, :self.n]
class Attn(nn.Module):
    """batch size 1 only (single-user inference)"""
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = [nn.Linear(d_model, d_model) for _ in range(4)]
    def forward(self, x, cache=None):
        b, t, c = x.shape
        q, k, v = [f(x).view(b, t, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v)]
        past = 0
        if cache is not None:
            past = cache.n
            k, v = cache.update(k, v)
        m = torch.triu(torch.ones(t, past + t, dtype=torch.bool), past + 1)
        s = (q @ k.transpose(2, 3) / q.shape[-1] ** 0.5).masked_fill(m, float('-inf'))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c))
