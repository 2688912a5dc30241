import torch
from torch import nn


class GroupedSelfAttention(nn.Module):
    """n_kv_heads key/value heads shared by consecutive query heads; half of n_heads unless given."""

    def __init__(self, d_model, n_heads, n_kv_heads=None):
        super().__init__()
        self.h = n_heads
        self.kv = n_kv_heads or max(1, n_heads // 2 if n_heads % 2 == 0 else 1)
        self.d = d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.kv_proj = nn.Linear(d_model, 2 * self.kv * self.d)
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        """mask (B, S): True = 真实 token"""
        q = self.q_proj(x).unflatten(-1, (self.kv, self.h // self.kv, self.d))
        k, v = self.kv_proj(x).unflatten(-1, (2, self.kv, self.d)).unbind(2)
        s = torch.einsum("bigrd,bjgd->bgrij", q, k) * self.d**-0.5
        if mask is not None:
            s = s.masked_fill(~mask[:, None, None, None, :], torch.finfo(s.dtype).min)
        o = torch.einsum("bgrij,bjgd->bigrd", s.softmax(-1), v)
        return self.o_proj(o.flatten(2))
