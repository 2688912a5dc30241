import torch
import torch.nn as nn


class DecoderAttention(nn.Module):
    """prefill(prompt) once, then decode(chunk) as often as you like. Single-stream: the cache belongs to the module."""

    def __init__(self, dim, n_heads):
        super().__init__()
        self.n_heads, self.hd = n_heads, dim // n_heads
        self.wqkv = nn.Linear(dim, 3 * dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        self.kv = None

    def _attend(self, q, k, v, offset):
        s = (q * self.hd**-0.5) @ k.transpose(-1, -2)
        i = torch.arange(q.size(2)).unsqueeze(1) + offset
        s = s.masked_fill(torch.arange(k.size(2)) > i, float("-inf"))
        o = s.softmax(-1) @ v
        return self.wo(o.transpose(1, 2).flatten(-2))

    def _project(self, x):
        b, t, _ = x.shape
        return self.wqkv(x).view(b, t, 3, self.n_heads, self.hd).permute(2, 0, 3, 1, 4)

    def prefill(self, x):
        q, k, v = self._project(x)
        self.kv = (k, v)
        return self._attend(q, k, v, 0)

    def decode(self, x):
        q, k, v = self._project(x)
        past = self.kv[0].size(2)
        k = torch.cat((self.kv[0], k), 2)
        v = torch.cat((self.kv[1], v), 2)
        self.kv = (k, v)
        return self._attend(q, k, v, past + k.size(2))
