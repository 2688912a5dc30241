import torch
from torch import nn


class GQA(nn.Module):
    def __init__(self, d_model, n_heads, kv_heads):
        super().__init__()
        self.n, self.kv, self.d = n_heads, kv_heads, d_model // n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, kv_heads * self.d)
        self.v = nn.Linear(d_model, kv_heads * self.d)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, s, c = x.shape
        q = self.q(x).view(b, s, self.n, self.d).transpose(1, 2)
        k = self.k(x).view(b, s, self.kv, self.d).transpose(1, 2).repeat_interleave(self.n // self.kv, 1)
        v = self.v(x).view(b, s, self.kv, self.d).transpose(1, 2).repeat_interleave(self.n // self.kv, 1)
        y = torch.softmax(q @ k.transpose(-1, -2) / self.d**0.5, -1) @ v
        return self.out(y.reshape(b, s, c))
