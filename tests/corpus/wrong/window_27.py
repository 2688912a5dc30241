import torch
from torch import nn


class LocalAttention(nn.Module):
    """Causal, the last window_size tokens, the current one included."""

    def __init__(self, config):
        super().__init__()
        self.nh, self.w = config.num_heads, config.window_size
        self.wq = nn.Linear(config.d_model, config.d_model, bias=False)
        self.wk = nn.Linear(config.d_model, config.d_model, bias=False)
        self.wv = nn.Linear(config.d_model, config.d_model, bias=False)
        self.wo = nn.Linear(config.d_model, config.d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (f(x).view(B, T, self.nh, C // self.nh).transpose(1, 2) for f in (self.wq, self.wk, self.wv))
        dist = torch.arange(T)[:, None] - torch.arange(T)[None, :]
        s = q @ k.transpose(2, 3) / (C // self.nh) ** 0.5
        s = s.masked_fill((dist < 0) | (dist > self.w), -torch.inf)
        return self.wo((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
