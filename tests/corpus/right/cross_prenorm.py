import torch
from torch import nn

class CrossAttention(nn.Module):
    """Pre-norm cross attention from queries to memory."""
    def __init__(self, dim: int, num_heads: int, dropout: float = 0.0):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, dim // num_heads
        self.norm_q = nn.LayerNorm(dim); self.norm_kv = nn.LayerNorm(dim)
        self.q_proj = nn.Linear(dim, dim); self.k_proj = nn.Linear(dim, dim)
        self.v_proj = nn.Linear(dim, dim); self.out_proj = nn.Linear(dim, dim)

    def forward(self, q, kv):
        b, n, c = q.shape
        m = kv.shape[1]
        kv = self.norm_kv(kv)
        qh = self.q_proj(self.norm_q(q)).view(b, n, self.num_heads, -1).transpose(1, 2)
        kh = self.k_proj(kv).view(b, m, self.num_heads, -1).transpose(1, 2)
        vh = self.v_proj(kv).view(b, m, self.num_heads, -1).transpose(1, 2)
        w = torch.softmax(qh @ kh.transpose(-1, -2) / self.head_dim ** 0.5, dim=-1)
        return self.out_proj((w @ vh).transpose(1, 2).reshape(b, n, c))
