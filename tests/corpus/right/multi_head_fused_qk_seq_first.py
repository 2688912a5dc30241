import torch
import torch.nn as nn


class TwoLinear(nn.Module):
    """qk fused, v apart, attention over (T, B, C), returns (out, weights)"""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.h = num_heads
        self.qk_proj = nn.Linear(embed_dim, 2 * embed_dim)
        self.v_proj = nn.Linear(embed_dim, embed_dim)
        self.out_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, attn_mask=None):
        """attn_mask: additive (T, T)"""
        T, B, C = x.shape
        q, k = self.qk_proj(x).split(C, -1)
        q, k, v = (t.reshape(T, B * self.h, -1).transpose(0, 1) for t in (q, k, self.v_proj(x)))
        w = torch.bmm(q, k.mT) / q.shape[-1] ** 0.5
        if attn_mask is not None:
            w = w + attn_mask
        w = w.softmax(-1)
        o = torch.bmm(w, v).transpose(0, 1).reshape(T, B, C)
        return self.out_proj(o), w.view(B, self.h, T, T)
