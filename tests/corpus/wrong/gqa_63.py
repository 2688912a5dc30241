import torch
import torch.nn as nn


class GQA(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads):
        super().__init__()
        self.h, self.g = n_heads, n_kv_heads
        d = d_model // n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d * n_kv_heads)
        self.v = nn.Linear(d_model, d * n_kv_heads)
        self.o = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, S, C = x.shape
        q = self.q(x).view(B, S, self.h, -1).transpose(1, 2)
        k = self.k(x).view(B, S, self.g, -1).transpose(1, 2).repeat_interleave(self.h // self.g, 1)
        v = self.v(x).view(B, S, self.g, -1).transpose(1, 2).repeat_interleave(self.h // self.g, 1)
        p = torch.softmax(q @ k.mT / x.size(-1) ** 0.5, -1)
        return self.o((p @ v).transpose(1, 2).reshape(B, S, C))
