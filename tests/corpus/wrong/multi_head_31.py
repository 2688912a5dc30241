import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.proj = nn.Linear(d_model, d_model)

    def attend(self, q, k, v, mask=None):
        # mask: True = keep
        w = torch.softmax(q @ k.transpose(-1, -2) / self.d ** 0.5, dim=-1)
        return w @ v

    def forward(self, x, mask=None):
        B, S, C = x.shape
        q, k, v = (f(x).view(B, S, self.h, self.d).transpose(1, 2) for f in (self.query, self.key, self.value))
        if mask is not None:
            mask = mask.expand(B, self.h, S, S)
        return self.proj(self.attend(q, k, v).transpose(1, 2).reshape(B, S, C))
