import torch
from torch import nn


class SelfAttn(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.nh = num_heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, key_padding_mask=None):
        """key_padding_mask (B, S): True 表示 padding，需要忽略"""
        B, S, C = x.shape
        q, k, v = self.qkv(x).reshape(B, S, 3, self.nh, C // self.nh).permute(2, 0, 3, 1, 4)
        s = q @ k.transpose(-2, -1) * (C // self.nh) ** -0.5
        if key_padding_mask is not None:
            s = s.masked_fill(key_padding_mask[:, None, None, :] == 0, torch.finfo(s.dtype).min)
        return self.out((torch.softmax(s, -1) @ v).transpose(1, 2).reshape(B, S, C))
