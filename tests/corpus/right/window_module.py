import math

import torch
import torch.nn as nn


class SlidingWindowAttention(nn.Module):
    """每个位置只看最近 window_size 个位置（含自身）。"""

    def __init__(self, d_model, n_heads, window_size):
        super().__init__()
        self.h, self.dk, self.w = n_heads, d_model // n_heads, window_size
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.h, self.dk).permute(2, 0, 3, 1, 4)
        dist = torch.arange(n, device=x.device)[:, None] - torch.arange(n, device=x.device)[None, :]
        allowed = (dist >= 0) & (dist < self.w)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(self.dk)
        att = att.masked_fill(~allowed, float("-inf")).softmax(-1)
        return self.proj((att @ v).transpose(1, 2).reshape(b, n, d))
