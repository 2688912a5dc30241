import torch
from torch import nn
from collections import namedtuple

KV = namedtuple("KV", "k v")


class CausalAttention(nn.Module):
    """forward() is the parallel pass for training; forward_step() decodes with a cache."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.proj_in = nn.Linear(d_model, 3 * d_model)
        self.proj_out = nn.Linear(d_model, d_model)

    def _heads(self, x):
        b, t, c = x.shape
        return [y.reshape(b, t, self.n_heads, -1).transpose(1, 2) for y in self.proj_in(x).chunk(3, -1)]

    def _mix(self, q, k, v):
        t, n = q.size(2), k.size(2)
        s = q @ k.mT / q.size(-1) ** 0.5
        s = s + torch.full((t, n), -torch.inf, dtype=s.dtype).triu(n - t + 1)
        return self.proj_out((s.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def forward(self, x):
        return self._mix(*self._heads(x))

    def forward_step(self, x, past: KV | None = None):
        q, k, v = self._heads(x)
        kept = KV(k, v)
        if past is not None:
            k, v = torch.cat((past.k, k), 2), torch.cat((past.v, v), 2)
        return self._mix(q, k, v), kept
