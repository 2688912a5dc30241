import torch
import torch.nn as nn


class FlashMHA(nn.Module):
    """Multi-head attention with a tiled core."""
    def __init__(self, d_model, n_heads, block_size=16):
        super().__init__()
        self.h, self.d, self.b = n_heads, d_model // n_heads, block_size
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, S, C = x.shape
        q, k, v = self.qkv(x).view(B, S, 3, self.h, self.d).permute(2, 0, 3, 1, 4)
        m = x.new_full((B, self.h, S, 1), float("-inf"))
        l = torch.zeros_like(m)
        o = torch.zeros_like(q)
        for j in range(0, S, self.b):
            s = q @ k[:, :, j:j + self.b].transpose(-1, -2) / self.d ** 0.5
            mn = torch.maximum(m, s.amax(-1, keepdim=True))
            p = (s - mn).exp()
            a = (m - mn).exp()
            l = l * a + p.sum(-1, keepdim=True)
            o = o * a + p @ v[:, :, j:j + self.b]
            m = mn
        o = (o / l).transpose(1, 2).reshape(B, S, C)
        return self.out(o)
