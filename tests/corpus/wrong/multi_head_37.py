import torch
import torch.nn as nn


class MHSA(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.qkv = nn.Linear(d_model, d_model * 3)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, valid=None):
        """valid: (B, S) bool, True = 真实 token"""
        B, S, C = x.shape
        H, D = self.n_heads, C // self.n_heads
        qkv = self.qkv(x).view(B, S, 3, H, D).permute(2, 0, 3, 1, 4).reshape(3, B * H, S, D)
        s = torch.bmm(qkv[0], qkv[1].transpose(1, 2)) * D ** -0.5
        if valid is not None:
            s = s.masked_fill(~valid.repeat(H, 1)[:, None, :], float("-inf"))
        o = torch.bmm(s.softmax(-1), qkv[2]).view(B, H, S, D)
        return self.proj(o.transpose(1, 2).reshape(B, S, C))
