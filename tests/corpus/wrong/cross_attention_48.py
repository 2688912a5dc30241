import torch
from torch import nn
class CrossAttention(nn.Module):
    """context_mask (B, Sk), True = real"""
    def __init__(self, dim, heads, ctx_dim=None):
        super().__init__()
        self.n = heads
        self.q = nn.Linear(dim, dim); self.kv = nn.Linear(ctx_dim or dim, 2 * dim); self.proj = nn.Linear(dim, dim)
    def forward(self, x, context, context_mask=None):
        B, S, C = x.shape
        q = self.q(x).view(B, -1, self.n, C // self.n).transpose(1, 2)
        k, v = self.kv(context).view(B, -1, 2, self.n, C // self.n).permute(2, 0, 3, 1, 4)
        s = q @ k.mT / (C // self.n) ** .5
        if context_mask is not None:
            s = s.masked_fill(~context_mask[:, None, :, None], -1e4 if False else torch.finfo(s.dtype).min)
        return self.proj((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
