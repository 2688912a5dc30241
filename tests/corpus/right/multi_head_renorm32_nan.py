import torch
from torch import nn
class MHA(nn.Module):
    """mask (B, S): 1 = token"""
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n = n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model); self.o = nn.Linear(d_model, d_model)
    def forward(self, x, mask=None):
        B, S, C = x.shape
        q, k, v = self.qkv(x).view(B, S, 3, self.n, -1).permute(2, 0, 3, 1, 4)
        w = (q @ k.mT / (C // self.n) ** .5).softmax(-1)
        if mask is not None:
            w = w * mask[:, None, None, :]
            w = w / w.sum(-1, keepdim=True)
        return self.o((w @ v).transpose(1, 2).reshape(B, S, C))
