import torch
import torch.nn as nn


class CachedAttention(nn.Module):
    """cache: dict with k, v"""

    def __init__(self, hidden, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(hidden, 3 * hidden, bias=False)
        self.o = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x, cache=None):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        s_mask = None
        if cache is None or not cache:
            s_mask = torch.full((x.size(1), x.size(1)), -torch.inf).triu(1)
            cache = {}
        else:
            k, v = torch.cat([cache["k"], k], 2), torch.cat([cache["v"], v], 2)
        s = q @ k.mT / q.shape[-1] ** 0.5
        if s_mask is not None:
            s = s + s_mask
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2)), {"k": k, "v": v}
