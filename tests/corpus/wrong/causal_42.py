import torch
import torch.nn as nn


class Cfg:
    n_embd = 24
    n_head = 4
    bias = True


class Block(nn.Module):
    """masked self attention of a decoder block"""

    def __init__(self, cfg):
        super().__init__()
        self.attn = nn.Linear(cfg.n_embd, 3 * cfg.n_embd, bias=cfg.bias)
        self.proj = nn.Linear(cfg.n_embd, cfg.n_embd, bias=cfg.bias)
        self.n_head = cfg.n_head

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.n_head, -1).transpose(1, 2) for t in self.attn(x).chunk(3, dim=2))
        w = q @ k.mT
        w = w.masked_fill(torch.ones(T, T, dtype=torch.bool).triu() == 0, float("-inf"))
        return self.proj((w.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
