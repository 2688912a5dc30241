from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class GQAConfig:
    d_model: int = 64
    n_q_heads: int = 8
    n_kv_heads: int = 2


class GroupedAttention(nn.Module):
    def __init__(self, cfg: GQAConfig):
        super().__init__()
        self.cfg = cfg
        d = cfg.d_model // cfg.n_q_heads
        self.Wq = nn.Linear(cfg.d_model, cfg.n_q_heads * d, bias=False)
        self.Wkv = nn.Linear(cfg.d_model, 2 * cfg.n_kv_heads * d, bias=False)
        self.Wo = nn.Linear(cfg.n_q_heads * d, cfg.d_model, bias=False)

    def forward(self, x, causal: bool = False):
        b, n, _ = x.shape
        d = self.cfg.d_model // self.cfg.n_q_heads
        q = self.Wq(x).view(b, n, self.cfg.n_q_heads, d).transpose(1, 2)
        k, v = self.Wkv(x).view(b, n, 2, self.cfg.n_kv_heads, d).permute(2, 0, 3, 1, 4)
        r = self.cfg.n_q_heads // self.cfg.n_kv_heads
        s = q @ k.repeat_interleave(r, 1).mT * d**-0.5
        if causal:
            s = s.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)
        return self.Wo((s.softmax(-1) @ v.repeat_interleave(r, 1)).transpose(1, 2).reshape(b, n, -1))
