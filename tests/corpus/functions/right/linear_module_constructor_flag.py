import torch
from torch import nn
import torch.nn.functional as F
class LinearAttention(nn.Module):
    def __init__(self, d_model, n_heads, causal=False):
        super().__init__()
        self.h, self.causal = n_heads, causal
        self.q_proj = nn.Linear(d_model, d_model); self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model); self.out_proj = nn.Linear(d_model, d_model)
    def split(self, t):
        B, S, C = t.shape
        return t.view(B, S, self.h, C // self.h).transpose(1, 2)
    def forward(self, x):
        q, k, v = (self.split(p(x)) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = F.elu(q) + 1, F.elu(k) + 1
        w = q @ k.transpose(-2, -1)
        if self.causal:
            w = w.tril()
        o = w / w.sum(-1, keepdim=True) @ v
        return self.out_proj(o.transpose(1, 2).reshape(x.shape))
