import torch
from torch import nn
class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads, d_context=None):
        super().__init__()
        self.n = n_heads
        self.to_q = nn.Linear(d_model, d_model)
        self.to_k = nn.Linear(d_context or d_model, d_model)
        self.to_v = nn.Linear(d_context or d_model, d_model)
        self.to_out = nn.Linear(d_model, d_model)
    def forward(self, x, context, context_mask=None):
        B, S, C = x.shape
        sp = lambda t: t.view(B, -1, self.n, C // self.n).transpose(1, 2)
        q, k, v = sp(self.to_q(x)), sp(self.to_k(x)), sp(self.to_v(x))
        a = (q @ k.mT / (C // self.n) ** .5).softmax(-1)
        return self.to_out((a @ v).transpose(1, 2).flatten(2))
