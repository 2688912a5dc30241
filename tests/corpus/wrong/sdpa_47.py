import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, query, key, value):
        d = query.shape[-1]
        # (B, T, T)
        energy = torch.bmm(key, query.transpose(1, 2)) / d ** 0.5
        alpha = energy.softmax(dim=-1)
        return torch.bmm(alpha, value)
