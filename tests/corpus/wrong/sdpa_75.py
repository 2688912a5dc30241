import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, dropout=0.1):
        super().__init__()
        self.p = dropout

    def forward(self, q, k, v, mask=None):
        # mask: True = keep
        s = q @ k.transpose(-1, -2) / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, float("-inf"))
        w = F.dropout(torch.softmax(s, dim=-1), self.p)
        return w @ v
