import torch
from torch import nn
class MHA(nn.Module):
    """mask (B, S): True = real token"""
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model); self.o = nn.Linear(d_model, d_model)
    def forward(self, x, mask=None):
        B, S, C = x.shape
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k, v = (t.reshape(B, S, self.n, -1).transpose(1, 2) for t in (q, k, v))
        s = q @ k.mT / (C // self.n) ** .5
        if mask is not None:
            s = s + (~mask[:, None, None]).to(s.dtype) * -100.0
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, S, C))
