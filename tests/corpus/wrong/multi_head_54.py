import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B, N, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        attn = (q * q.size(-1) ** -0.5) @ k.mT
        attn = attn.softmax(dim=2)
        return x + self.proj((attn @ v).transpose(1, 2).reshape(B, N, C))
