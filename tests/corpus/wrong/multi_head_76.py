import torch
from torch import nn
class MHA(nn.Module):
    def __init__(self, d_model, h):
        super().__init__()
        self.h, self.d = h, d_model // h
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.o = nn.Linear(d_model, d_model)
    def forward(self, x, mask=None):
        b, s, c = x.size()
        q = self.q(x).view(b, self.h, s, self.d)
        k = self.k(x).view(b, self.h, s, self.d)
        v = self.v(x).view(b, self.h, s, self.d)
        a = q @ k.transpose(-1, -2) / self.d ** 0.5
        if mask is not None:
            a = a.masked_fill(mask == 0, float("-inf"))
        a = a.softmax(-1)
        return self.o((a @ v).view(b, s, c))
