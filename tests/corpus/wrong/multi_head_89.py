import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, mask=None):
        B, S, C = x.shape
        q, k, v = (w(x).view(B, self.h, S, C // self.h) for w in (self.wq, self.wk, self.wv))
        s = q @ k.mT * (C // self.h) ** -0.5
        if mask is not None:
            s = s.masked_fill(~mask, float("-inf"))
        return self.wo((s.softmax(-1) @ v).reshape(B, S, C))
