import torch
from torch import nn
import torch.nn.functional as F


class CrossAttn(nn.Module):
    # whiteboard version: memory comes first, then the queries' side
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.kv = nn.Linear(dim, 2 * dim)
        self.q = nn.Linear(dim, dim)
        self.o = nn.Linear(dim, dim)

    def forward(self, context, x):
        split = lambda t: t.view(*t.shape[:2], self.heads, -1).transpose(1, 2)
        k, v = map(split, self.kv(context).chunk(2, -1))
        q = split(self.q(x))
        a = F.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)
        return self.o((a @ v).transpose(1, 2).flatten(2))
