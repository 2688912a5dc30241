import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    """x: (batch, time, channels), batch first."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.nh = n_heads
        self.q, self.k, self.v, self.o = [nn.Linear(d_model, d_model) for _ in range(4)]

    def forward(self, x):
        T, B, C = x.shape
        def heads(t):
            return t.reshape(T, B * self.nh, C // self.nh).transpose(0, 1)
        q, k, v = heads(self.q(x)), heads(self.k(x)), heads(self.v(x))
        s = torch.bmm(q, k.transpose(1, 2)) * (C // self.nh) ** -0.5
        s = s + torch.triu(torch.full((T, T), float("-inf"), dtype=s.dtype), 1)
        y = torch.bmm(torch.softmax(s, -1), v)
        return self.o(y.transpose(0, 1).reshape(T, B, C))
