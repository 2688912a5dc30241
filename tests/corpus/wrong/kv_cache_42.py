from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn as nn


@dataclass
class LayerCache:
    keys: torch.Tensor
    values: torch.Tensor

    @property
    def length(self) -> int:
        return self.keys.shape[1]


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int, n_kv_heads: int):
        super().__init__()
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.head_dim = d_model // n_heads
        self.q_proj = nn.Linear(d_model, n_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, n_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, n_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(n_heads * self.head_dim, d_model, bias=False)

    def forward(self, x: torch.Tensor, cache: Optional[LayerCache] = None):
        b, t, _ = x.shape
        q = self.q_proj(x).view(b, t, self.n_heads, self.head_dim)
        k = self.k_proj(x).view(b, t, self.n_kv_heads, self.head_dim)
        v = self.v_proj(x).view(b, t, self.n_kv_heads, self.head_dim)
        if cache is not None:
            k = torch.cat([cache.keys, k], dim=1)
            v = torch.cat([cache.values, v], dim=1)
        new_cache = LayerCache(k, v)
        g = self.n_heads // self.n_kv_heads
        q = q.view(b, t, self.n_kv_heads, g, self.head_dim)
        s = torch.einsum("bikgd,bjkd->bkgij", q, k) / self.head_dim**0.5
        ok = torch.arange(new_cache.length)[None] <= torch.arange(t)[:, None]
        s = torch.where(ok, s, torch.tensor(float("-inf"), dtype=s.dtype))
        o = torch.einsum("bkgij,bjkd->bikgd", s.softmax(-1), v).reshape(b, t, -1)
        return self.o_proj(o), new_cache
