import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, q, k, v):
        a = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / q.size(-1) ** 0.5, dim=-1)
        return (a.unsqueeze(-1) * v.unsqueeze(1)).mean(dim=2)
