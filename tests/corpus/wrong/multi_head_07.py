import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.fc_q = nn.Linear(d_model, d_model, bias=False)
        self.fc_k = nn.Linear(d_model, d_model, bias=False)
        self.fc_v = nn.Linear(d_model, d_model, bias=False)
        self.fc_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        # mask: bool，True 表示可以看
        bs, length, dim = x.size()
        hd = dim // self.n_heads
        q = self.fc_q(x).view(bs, length, self.n_heads, hd).permute(0, 2, 1, 3)
        k = self.fc_k(x).view(bs, length, self.n_heads, hd).permute(0, 2, 3, 1)
        v = self.fc_v(x).view(bs, length, self.n_heads, hd).permute(0, 2, 1, 3)
        e = torch.matmul(q, k) / hd ** 0.5
        if mask is not None:
            e = e.masked_fill(mask == 0, float("-inf"))
        o = torch.matmul(torch.softmax(e, dim=-1), v)
        return self.fc_o(o.reshape(bs, length, dim))
