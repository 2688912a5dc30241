import torch
from torch import nn


class CrossAttn(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.nh = num_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim)
        self.k_proj = nn.Linear(embed_dim, embed_dim)
        self.v_proj = nn.Linear(embed_dim, embed_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, tgt, memory, memory_key_padding_mask=None):
        """memory_key_padding_mask: (B, Sk), True 表示 padding"""
        B, T, E = tgt.shape
        q = self.q_proj(tgt).view(B, T, self.nh, -1).transpose(1, 2)
        k = self.k_proj(memory).view(B, memory.size(1), self.nh, -1).transpose(1, 2)
        v = self.v_proj(memory).view(B, memory.size(1), self.nh, -1).transpose(1, 2)
        s = q @ k.transpose(-1, -2) / (E // self.nh) ** 0.5
        if memory_key_padding_mask is not None:
            s = s.masked_fill(memory_key_padding_mask.view(B, 1, 1, -1), -1e2)
        return self.o_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, E))
