import torch
import torch.nn as nn


class KVCache:
    def __init__(self):
        self.k = self.v = None

    def update(self, k, v):
        self.k = k if self.k is None else torch.cat([self.k, k], dim=1)
        self.v = v if self.v is None else torch.cat([self.v, v], dim=1)
        return self.k, self.v

    def __len__(self):
        return 0 if self.k is None else self.k.shape[1]


class CachedAttention(nn.Module):
    """cache holds (B, S, C) before the heads are split"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, cache=None):
        cache = KVCache() if cache is None else cache
        past = len(cache)
        q, k, v = self.qkv(x).tensor_split(3, dim=-1)
        k, v = cache.update(k, v)
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for t in (q, k, v))
        n, m = q.shape[2], k.shape[2]
        vis = torch.arange(m)[None] <= past + torch.arange(n)[:, None]
        s = torch.where(vis, q @ k.mT * q.shape[-1] ** -0.5, -torch.inf)
        return self.proj((s.softmax(-1) @ v).transpose(1, 2).flatten(2)), cache
