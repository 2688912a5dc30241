import torch
from torch import nn
class MHA(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n = n_heads
        self.q = nn.Linear(d_model, d_model); self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model); self.o = nn.Linear(d_model, d_model)
    def forward(self, x):
        B, S, C = x.shape
        q, k, v = (f(x).view(B, S, self.n, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        with torch.no_grad():
            w = (q @ k.mT / (C // self.n) ** .5).softmax(-1)
        return self.o((w @ v).transpose(1, 2).reshape(B, S, C))
