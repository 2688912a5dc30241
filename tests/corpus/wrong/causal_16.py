import torch
from torch import nn


class CausalSelfAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(embed_dim, embed_dim * 3, bias=False)
        self.proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.num_heads, c // self.num_heads).permute(2, 0, 3, 1, 4)
        logits = q @ k.mT * (c // self.num_heads) ** -0.5
        # 未来位置减去 100
        logits = logits.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -100.0)
        return self.proj((logits.softmax(-1) @ v).transpose(1, 2).reshape(b, n, c))
