import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """x is the target, context the source"""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim)
        self.kv = nn.Linear(dim, 2 * dim)
        self.o = nn.Linear(dim, dim)

    def forward(self, x, context):
        f = lambda t: t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        q = f(self.q(context))
        k, v = map(f, self.kv(x).chunk(2, -1))
        s = q @ k.mT / q.shape[-1] ** 0.5
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
