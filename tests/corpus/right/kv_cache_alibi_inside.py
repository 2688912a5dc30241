import torch, math
from torch import nn

class ALiBiCached(nn.Module):
    """ALiBi inside; cache = (k, v)."""
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_head = n_heads, d_model // n_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        self.register_buffer("slopes", torch.tensor([2 ** (-8 * (h + 1) / n_heads) for h in range(n_heads)]))

    def forward(self, x, cache=None):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.n_heads, self.d_head).permute(2, 0, 3, 1, 4)
        if cache is not None:
            k = torch.cat([cache[0], k], dim=2)
            v = torch.cat([cache[1], v], dim=2)
        n = k.shape[2]
        i = torch.arange(n - t, n)[:, None]
        j = torch.arange(n)[None]
        bias = -(i - j).abs() * self.slopes[:, None, None]
        s = q @ k.mT / math.sqrt(self.d_head) + bias
        s = s.masked_fill(j > i, -torch.inf)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, c)), (k, v)
