import torch
from torch import nn
class MultiHead(nn.Module):
    """x: (batch, seq, d_model)"""
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.nh = num_heads
        self.q = nn.Linear(d_model, d_model); self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model); self.o = nn.Linear(d_model, d_model)
    def forward(self, x):
        T, B, C = x.shape
        q, k, v = (f(x).reshape(T, B * self.nh, C // self.nh).transpose(0, 1) for f in (self.q, self.k, self.v))
        w = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / (C // self.nh) ** 0.5, -1)
        return self.o(torch.bmm(w, v).transpose(0, 1).reshape(T, B, C))
