import math
import torch
import torch.nn as nn


class MaskedSelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.dk = n_heads, d_model // n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, L, D = x.size()
        q, k, v = [w(x).view(B, L, self.h, self.dk).permute(0, 2, 1, 3) for w in (self.wq, self.wk, self.wv)]
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.dk)
        subsequent = torch.triu(torch.ones(L, L), 1).bool()
        scores = scores.masked_fill(subsequent, float("-1e-9"))
        out = torch.matmul(scores.softmax(-1), v).permute(0, 2, 1, 3).reshape(B, L, D)
        return self.wo(out)
