import torch
from torch import nn
import torch.nn.functional as F
class LinearAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q_proj = nn.Linear(d_model, d_model); self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model); self.out_proj = nn.Linear(d_model, d_model)
    def forward(self, x):
        B, S, C = x.shape
        q, k, v = (p(x).view(B, self.h, S, C // self.h) for p in (self.q_proj, self.k_proj, self.v_proj))
        q, k = F.elu(q) + 1, F.elu(k) + 1
        o = q @ (k.transpose(-2, -1) @ v) / (q @ k.sum(-2).unsqueeze(-1))
        return self.out_proj(o.transpose(1, 2).reshape(B, S, C))
