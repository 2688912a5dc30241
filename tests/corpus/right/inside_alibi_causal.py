import math

import torch
from torch import nn


def slopes(n):
    p = 2 ** math.floor(math.log2(n))
    m = [2 ** (-8 * (i + 1) / p) for i in range(p)]
    extra = [2 ** (-4 * (i + 1) / p) for i in range(0, 2 * (n - p), 2)]
    return torch.tensor(m + extra)


class CausalAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.n_head = n_head
        self.qkv = nn.Linear(n_embd, 3 * n_embd)
        self.proj = nn.Linear(n_embd, n_embd)
        self.register_buffer("alibi_slopes", slopes(n_head))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.n_head, -1).permute(2, 0, 3, 1, 4)
        rel = torch.arange(T)[None, :] - torch.arange(T)[:, None]
        s = q @ k.mT / q.shape[-1] ** 0.5 + self.alibi_slopes.to(x.dtype)[:, None, None] * rel
        s = s.masked_fill(rel > 0, -torch.inf)
        return self.proj((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
