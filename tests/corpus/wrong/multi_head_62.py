import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x):
        B, S, C = x.shape
        d = C // self.n_heads
        # 先对 q 和 k 做归一化
        q = self.wq(x).view(B, S, self.n_heads, d).transpose(1, 2) / d ** 0.5
        k = self.wk(x).view(B, S, self.n_heads, d).transpose(1, 2) / d ** 0.5
        v = self.wv(x).view(B, S, self.n_heads, d).transpose(1, 2)
        return self.wo((torch.softmax(q @ k.mT, -1) @ v).transpose(1, 2).reshape(B, S, C))
