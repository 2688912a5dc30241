import torch
from torch import nn
import torch.nn.functional as F


class SelfAttentionWide(nn.Module):
    def __init__(self, emb, heads=8):
        super().__init__()
        assert emb % heads == 0
        self.emb, self.heads = emb, heads
        self.tokeys = nn.Linear(emb, emb, bias=False)
        self.toqueries = nn.Linear(emb, emb, bias=False)
        self.tovalues = nn.Linear(emb, emb, bias=False)
        self.unifyheads = nn.Linear(emb, emb)

    def forward(self, x):
        b, t, e = x.size()
        h, s = self.heads, e // self.heads

        def fold(m):  # fold heads into the batch dimension
            return m.view(b, t, h, s).transpose(1, 2).reshape(b * h, t, s)

        keys = fold(self.tokeys(x)) / (s ** 0.25)
        queries = fold(self.toqueries(x)) / (s ** 0.25)
        values = fold(self.tovalues(x))
        dot = F.softmax(torch.bmm(queries, keys.transpose(1, 2)), dim=2)
        out = torch.bmm(dot, values).view(b, h, t, s)
        return self.unifyheads(out.transpose(1, 2).reshape(b, t, h * s))
