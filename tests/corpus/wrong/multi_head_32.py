import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """mask: 1 保留 0 屏蔽"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, mask=None):
        B, S, C = x.shape
        q, k, v = [p(x).view(B, S, self.n_heads, -1).permute(0, 2, 1, 3) for p in (self.q, self.k, self.v)]
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / (C // self.n_heads) ** 0.5
        if mask is not None:
            scores = torch.where(mask != 0, scores, torch.zeros_like(scores))
        ctx = torch.einsum("bhij,bhjd->bhid", scores.softmax(dim=-1), v)
        return self.o(ctx.permute(0, 2, 1, 3).reshape(B, S, C))
