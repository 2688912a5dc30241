import torch
from torch import nn


class DetrCrossAttention(nn.Module):
    """Object queries (N, B, C) look at image memory (HW, B, C); sequence first everywhere."""

    def __init__(self, d_model, nhead):
        super().__init__()
        self.nhead = nhead
        self.wq, self.wk = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.wv, self.wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, tgt, memory):
        n, b, c = tgt.shape
        q = self.wq(tgt).view(n, b, self.nhead, -1)
        k = self.wk(memory).view(memory.shape[0], b, self.nhead, -1)
        v = self.wv(memory).view(memory.shape[0], b, self.nhead, -1)
        a = torch.einsum("ibhd,jbhd->ijbh", q, k) / q.shape[-1] ** 0.5
        a = a.softmax(1)
        return self.wo(torch.einsum("ijbh,jbhd->ibhd", a, v).reshape(n, b, c))
