import torch
from torch import nn
import torch.nn.functional as F
class LinearCrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q = nn.Linear(d_model, d_model); self.kv = nn.Linear(d_model, 2 * d_model); self.proj = nn.Linear(d_model, d_model)
    def forward(self, x, context):
        B, S, C = x.shape
        T = context.shape[1]
        q = self.q(x).view(B, S, self.h, -1).transpose(1, 2)
        k, v = (t.view(B, T, self.h, -1).transpose(1, 2) for t in self.kv(context).chunk(2, -1))
        q, k = F.elu(q) + 1, F.elu(k) + 1
        o = q @ (k.transpose(-2, -1) @ v) / (q @ k.sum(-2).unsqueeze(-1))
        return self.proj(o.transpose(1, 2).reshape(B, S, C))
