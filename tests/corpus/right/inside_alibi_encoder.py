import torch
from torch import nn


class EncoderAttention(nn.Module):
    """Bidirectional ALiBi: -slope * |i - j|."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.o = nn.Linear(d_model, d_model)
        self.slopes = [2 ** (-8 * (i + 1) / n_heads) for i in range(n_heads)]

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = (f(x).view(b, n, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        m = torch.tensor(self.slopes, dtype=x.dtype).view(-1, 1, 1)
        dist = (torch.arange(n)[:, None] - torch.arange(n)).abs()
        a = torch.softmax(q @ k.mT * q.shape[-1] ** -0.5 - m * dist, -1)
        return self.o((a @ v).transpose(1, 2).reshape(b, n, c))
