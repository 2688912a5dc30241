import torch
from torch import nn


class KVCache:
    """Growing cache for one layer."""

    def __init__(self):
        self.k = None
        self.v = None

    def __len__(self):
        return 0 if self.k is None else self.k.shape[-2]

    def update(self, k, v):
        self.k = k if self.k is None else torch.cat((self.k, k), dim=-2)
        self.v = v if self.v is None else torch.cat((self.v, v), dim=-2)
        return self.k, self.v


class SelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim, bias=False)
        self.proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, kv_cache: KVCache):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        start = len(kv_cache)
        k, v = kv_cache.update(k, v)
        att = q @ k.mT * (C // self.num_heads) ** -0.5
        pos_q = torch.arange(start, start + T, device=x.device)[:, None]
        pos_k = torch.arange(k.shape[-2], device=x.device)
        att = att.masked_fill(pos_k > pos_q, -torch.inf)
        return self.proj((att.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))
