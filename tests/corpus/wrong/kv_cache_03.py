import math

import torch
import torch.nn as nn


class CachedAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.h, self.d = n_heads, d_model // n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x, cache=None):
        b, t, c = x.shape
        split = lambda y: y.view(b, t, self.h, self.d).transpose(1, 2)  # noqa: E731
        q, k, v = split(self.q(x)), split(self.k(x)), split(self.v(x))
        if cache is not None:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        n = k.size(2)
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        future = torch.ones(t, n, dtype=torch.bool, device=x.device).triu(n - t + 1)
        s = s.masked_fill(future, float("-inf"))
        y = s.softmax(-1) @ v
        return self.out(y.transpose(1, 2).reshape(b, t, c)), (k[:, :, -t:], v[:, :, -t:])
