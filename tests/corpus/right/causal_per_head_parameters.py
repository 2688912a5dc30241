from dataclasses import dataclass
import math
import torch
import torch.nn as nn


@dataclass
class Cfg:
    dim: int = 24
    heads: int = 3
    ctx: int = 256


class Block(nn.Module):
    """decoder self-attention with per-head parameters, (B, T, C)"""

    def __init__(self, cfg: Cfg = Cfg()):
        super().__init__()
        hd = cfg.dim // cfg.heads
        init = lambda *s: nn.Parameter(torch.randn(*s) / math.sqrt(cfg.dim))
        self.WQ = init(cfg.heads, cfg.dim, hd)
        self.WK = init(cfg.heads, cfg.dim, hd)
        self.WV = init(cfg.heads, cfg.dim, hd)
        self.WO = init(cfg.heads, hd, cfg.dim)
        self.bO = nn.Parameter(torch.zeros(cfg.dim))
        self.register_buffer("tri", torch.full((cfg.ctx, cfg.ctx), float("-inf")).triu(1), persistent=False)

    def forward(self, x):
        T = x.size(1)
        q = torch.einsum("btc,hcd->bhtd", x, self.WQ)
        k = torch.einsum("btc,hcd->bhtd", x, self.WK)
        v = torch.einsum("btc,hcd->bhtd", x, self.WV)
        s = q @ k.mT * q.size(-1) ** -0.5 + self.tri[:T, :T]
        z = s.softmax(-1) @ v
        return torch.einsum("bhtd,hdc->btc", z, self.WO) + self.bO
