import torch
from torch import nn
class MultiHead(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n, self.d = n_heads, d_model // n_heads
        self.q = nn.Linear(self.d, self.d, bias=False)
        self.k = nn.Linear(self.d, self.d, bias=False)
        self.v = nn.Linear(self.d, self.d, bias=False)
        self.o = nn.Linear(d_model, d_model)
    def forward(self, x):
        B, S, C = x.shape
        h = x.view(B, S, self.n, self.d).transpose(1, 2)
        q, k, v = self.q(h), self.k(h), self.v(h)
        w = torch.softmax(q @ k.mT / self.d ** .5, -1)
        return self.o((w @ v).transpose(1, 2).reshape(B, S, C))
