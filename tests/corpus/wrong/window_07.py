import torch
from torch import nn


class SlidingWindowAttention(nn.Module):
    def __init__(self, d_model, n_heads, window):
        super().__init__()
        self.n_heads, self.window = n_heads, window
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        mask = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
        mask.triu(1 - self.window)
        s = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill(~mask, -torch.inf)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
