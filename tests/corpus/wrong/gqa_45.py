import torch
from torch import nn


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, n_heads, n_kv_heads):
        super().__init__()
        self.n_heads, self.n_kv = n_heads, n_kv_heads
        self.d = d_model // n_heads
        self.scale = self.d ** -0.5
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, n_kv_heads * self.d)
        self.wv = nn.Linear(d_model, n_kv_heads * self.d)
        self.wo = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        """mask (B, S): 1 = real token, 0 = padding"""
        b, n, _ = x.shape
        q = self.wq(x).view(b, n, self.n_heads, self.d).transpose(1, 2)
        k = self.wk(x).view(b, n, self.n_kv, self.d).transpose(1, 2)
        v = self.wv(x).view(b, n, self.n_kv, self.d).transpose(1, 2)
        q = q.reshape(b, self.n_kv, -1, n, self.d)
        s = torch.einsum("bgrid,bgjd->bgrij", q, k) * self.scale
        if mask is not None:
            s = s.masked_fill(mask[:, None, None, None, :] == 0, float("-inf"))
        o = torch.einsum("bgrij,bgjd->bgrid", s.softmax(-1), v)
        return self.wo(o.transpose(1, 2).reshape(b, self.n_heads, n, self.d).transpose(1, 2).reshape(b, n, -1))
