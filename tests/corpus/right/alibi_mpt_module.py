import math

import torch
from torch import nn


def gen_slopes(n_heads, alibi_bias_max=8):
    _n = 2 ** math.ceil(math.log2(n_heads))
    m = torch.arange(1, _n + 1, dtype=torch.float32) * (alibi_bias_max / _n)
    slopes = 1.0 / torch.pow(2, m)
    if _n != n_heads:
        slopes = torch.concat([slopes[1::2], slopes[::2]])[:n_heads]
    return slopes.view(1, n_heads, 1, 1)


class MultiheadAttention(nn.Module):
    """MPT's attention with ALiBi."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.Wqkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        b, s, d = x.shape
        q, k, v = self.Wqkv(x).chunk(3, dim=2)
        q, k, v = (t.view(b, s, self.n_heads, -1).transpose(1, 2) for t in (q, k, v))
        attn_bias = torch.arange(1 - s, 1, dtype=torch.float32).view(1, 1, 1, s) * gen_slopes(self.n_heads)
        w = q @ k.transpose(-1, -2) / math.sqrt(d // self.n_heads) + attn_bias.to(q.dtype)
        causal = torch.ones(s, s, dtype=torch.bool).tril()
        w = w.masked_fill(~causal, torch.finfo(w.dtype).min)
        return self.out_proj((w.softmax(-1) @ v).transpose(1, 2).reshape(b, s, d))
