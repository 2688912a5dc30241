import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, d_model, bias=False)
        self.w_v = nn.Linear(d_model, d_model, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)

    def project(self, layer, t):
        return layer(t).view(*t.shape[:2], self.h, -1).transpose(1, 2)

    def forward(self, x, context):
        q = self.project(self.w_q, x)
        k = self.project(self.w_q, context)
        v = self.project(self.w_v, context)
        o = torch.softmax(q @ k.mT / q.size(-1) ** 0.5, dim=-1) @ v
        return self.w_o(o.transpose(1, 2).flatten(2))
