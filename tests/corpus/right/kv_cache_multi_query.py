import torch
from torch import nn
class MQACached(nn.Module):
    """multi-query: one key/value head; cache (B, n, D)"""
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.d = n_heads, d_model // n_heads
        self.q = nn.Linear(d_model, d_model, bias=False)
        self.kv = nn.Linear(d_model, 2 * self.d, bias=False)
        self.o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, x, cache=None):
        b, t, c = x.shape
        q = self.q(x).view(b, t, self.h, self.d)
        k, v = self.kv(x).split(self.d, -1)
        if cache is not None:
            k, v = torch.cat((cache[0], k), 1), torch.cat((cache[1], v), 1)
        n = k.shape[1]
        s = torch.einsum('bthd,bnd->bhtn', q, k) * self.d ** -0.5
        s = s.masked_fill(torch.ones(t, n).triu(n - t + 1).bool(), -torch.inf)
        y = torch.einsum('bhtn,bnd->bthd', s.softmax(-1), v).reshape(b, t, c)
        return self.o(y), (k, v)
