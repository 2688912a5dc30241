import torch
from torch import nn


class LinearAttention(nn.Module):
    def __init__(self, causal=False):
        super().__init__()
        self.causal = causal

    def forward(self, q, k, v):
        q, k = nn.functional.elu(q).add(1), nn.functional.elu(k).add(1)
        if self.causal:
            w = (q @ k.transpose(-1, -2)).tril()
            return w @ v / w.sum(-1, keepdim=True)
        ones = torch.ones_like(v[..., :1])
        both = q @ (k.transpose(-1, -2) @ torch.cat([v, ones], -1))
        return both[..., :-1] / both[..., -1:]
