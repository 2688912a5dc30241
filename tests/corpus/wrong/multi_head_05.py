import torch
from torch import nn


class MHA(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.h = num_heads
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x):
        B, S, C = x.shape
        q = self.q(x).view(B, self.h, S, C // self.h)
        k = self.k(x).view(B, self.h, S, C // self.h)
        v = self.v(x).view(B, self.h, S, C // self.h)
        a = torch.softmax(q @ k.transpose(2, 3) / (C // self.h) ** 0.5, dim=-1)
        return self.o((a @ v).view(B, S, C))
