import torch
from torch import nn
class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.wq = nn.Linear(d_model, d_model); self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model); self.wo = nn.Linear(d_model, d_model)
    def forward(self, x, context):
        B = x.shape[0]
        q, k, v = (t.view(B, -1, self.h, t.shape[-1] // self.h).transpose(1, 2) for t in (self.wq(context), self.wk(x), self.wv(x)))
        return self.wo(((q @ k.mT / q.shape[-1] ** .5).softmax(-1) @ v).transpose(1, 2).flatten(2))
