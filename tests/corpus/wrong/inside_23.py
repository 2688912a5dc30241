import torch
from torch import nn


class Attention(nn.Module):
    """Causal, with ALiBi."""

    def __init__(self, config):
        super().__init__()
        self.h = config.n_head
        self.qkv = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.out = nn.Linear(config.n_embd, config.n_embd)
        self.register_buffer("slopes", 2.0 ** (-8.0 * torch.arange(1, self.h + 1) / self.h))

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        rel = torch.arange(n)[None, :] - torch.arange(n)[:, None]
        s = q @ k.mT + self.slopes.to(x.dtype)[:, None, None] * rel
        s = s.masked_fill(rel > 0, -torch.inf)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(b, n, c))
