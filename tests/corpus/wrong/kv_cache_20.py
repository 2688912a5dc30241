import torch
import torch.nn as nn


class StaticKVCache:
    def __init__(self, max_batch, max_len, n_heads, head_dim, dtype=torch.float32):
        self.k = torch.zeros(max_batch, n_heads, max_len, head_dim, dtype=dtype)
        self.v = torch.zeros(max_batch, n_heads, max_len, head_dim, dtype=dtype)
        self.pos = 0

    def append(self, k, v):
        b, _, t, _ = k.shape
        self.k[:b, :, self.pos : self.pos + t] = k
        self.v[:b, :, self.pos : self.pos + t] = v
        self.pos += t
        return self.k[:b, :, : self.pos], self.v[:b, :, : self.pos]


class CausalSelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.head_dim = d_model // n_heads
        self.to_q = nn.Linear(d_model, d_model, bias=False)
        self.to_kv = nn.Linear(d_model, 2 * d_model, bias=False)
        self.to_out = nn.Linear(d_model, d_model)

    @torch.no_grad()
    def forward(self, x, cache=None):
        b, t, _ = x.shape
        q = self.to_q(x).reshape(b, t, self.n_heads, self.head_dim).transpose(1, 2)
        k, v = self.to_kv(x).chunk(2, dim=-1)
        k = k.reshape(b, t, self.n_heads, self.head_dim).transpose(1, 2)
        v = v.reshape(b, t, self.n_heads, self.head_dim).transpose(1, 2)
        past = 0
        if cache is not None:
            past = cache.pos
            k, v = cache.append(k, v)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * self.head_dim**-0.5
        if t > 1 and cache is None:
            mask = torch.tril(torch.ones(t, t)).bool()
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        out = torch.einsum("bhqk,bhkd->bhqd", scores.softmax(-1), v)
        return self.to_out(out.transpose(1, 2).reshape(b, t, -1))
