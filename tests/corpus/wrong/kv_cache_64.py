from typing import NamedTuple
import torch
from torch import nn, Tensor

class AttnState(NamedTuple):
    keys: Tensor
    values: Tensor
    index: int

class SelfAttn(nn.Module):
    """state carries the cache (pre-allocated); init_state(batch) makes an empty one"""
    def __init__(self, width: int, heads: int, max_tokens: int = 256):
        super().__init__()
        self.heads, self.dim, self.max_tokens = heads, width // heads, max_tokens
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def init_state(self, batch: int, dtype=torch.float32) -> AttnState:
        z = torch.zeros(batch, self.max_tokens, self.heads, self.dim, dtype=dtype)
        return AttnState(z, z.clone(), 0)

    def forward(self, x: Tensor, state: AttnState):
        b, t, w = x.shape
        q, k, v = self.qkv(x).view(b, t, self.heads, 3, self.dim).unbind(3)
        i = state.index
        keys, values = state.keys.clone(), state.values.clone()
        keys[:, i:i+t], values[:, i:i+t] = k, v
        pos = torch.arange(self.max_tokens)
        ok = pos[None, :] <= (i + torch.arange(t))[:, None]
        s = torch.einsum('bihd,bjhd->bhij', q * self.dim ** -0.5, keys).masked_fill(~ok, -torch.inf)
        y = torch.einsum('bhij,bjhd->bihd', s.softmax(-1), values).reshape(b, t, w)
        return self.out(y), AttnState(keys, values, t)
