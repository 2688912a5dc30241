import torch
from torch import nn
class MHA(nn.Module):
    """mask (B, S): 1 = token, 0 = pad; padded keys must not be attended to"""
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n = n_heads
        self.q = nn.Linear(d_model, d_model); self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model); self.o = nn.Linear(d_model, d_model)
    def forward(self, x, mask=None):
        B, S, C = x.shape
        q, k, v = (f(x).view(B, S, self.n, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.mT / (C // self.n) ** .5
        if mask is not None:
            s = s.masked_fill(mask[:, None, :, None] == 0, float("-inf"))
        return self.o((s.softmax(-1).nan_to_num(0) @ v).transpose(1, 2).reshape(B, S, C))
