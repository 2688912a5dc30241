import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.hd = n_heads, d_model // n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context):
        b, t, c = x.shape
        s = context.shape[1]
        q = self.q(x).view(b, self.n_heads, t, self.hd)
        k = self.k(context).view(b, self.n_heads, s, self.hd)
        v = self.v(context).view(b, self.n_heads, s, self.hd)
        w = torch.softmax(torch.matmul(q, k.transpose(2, 3)) / self.hd ** 0.5, dim=3)
        return self.o(torch.matmul(w, v).transpose(1, 2).reshape(b, t, c))
