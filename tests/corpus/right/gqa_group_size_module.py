import torch
from torch import nn


class GQA(nn.Module):
    """组内 group_size 个 query 头共享一组 k、v。"""

    def __init__(self, d_model, n_heads, group_size):
        super().__init__()
        self.n_heads, self.group_size = n_heads, group_size
        self.d_head = d_model // n_heads
        self.to_q = nn.Linear(d_model, d_model, bias=False)
        self.to_kv = nn.Linear(d_model, 2 * self.d_head * (n_heads // group_size), bias=False)
        self.to_out = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, n, _ = x.shape
        q = self.to_q(x).view(b, n, -1, self.group_size, self.d_head)
        k, v = self.to_kv(x).chunk(2, dim=-1)
        k = k.view(b, n, -1, self.d_head)
        v = v.view(b, n, -1, self.d_head)
        sim = torch.einsum("bigcd,bjgd->bgcij", q, k) * self.d_head**-0.5
        out = torch.einsum("bgcij,bjgd->bigcd", sim.softmax(-1), v)
        return self.to_out(out.reshape(b, n, -1))
