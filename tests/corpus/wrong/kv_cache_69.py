import torch
from torch import nn
class CachedAttention(nn.Module):
    """unrotated keys are cached; rotation is applied to the whole sequence of keys at every step (interleaved pairs)"""
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.nh = n_heads; self.hd = d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)
    def rotary(self, x, start):
        # x: (B, H, T, D)
        t = torch.arange(start, start + x.shape[2], dtype=torch.float32)
        inv = 10000 ** (-torch.arange(0, self.hd, 2).float() / self.hd)
        ang = t[:, None] * inv[None]
        cos, sin = ang.cos().to(x.dtype), ang.sin().to(x.dtype)
        x1, x2 = x[..., 0::2], x[..., 1::2]
        return torch.stack([x1 * cos - x2 * sin, x1 * sin + x2 * cos], -1).flatten(-2)
    def forward(self, x, cache=None):
        B, T, C = x.shape
        q, k, v = [p(x).view(B, T, self.nh, self.hd).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj)]
        if cache: k = torch.cat([cache['k'], k], 2); v = torch.cat([cache['v'], v], 2)
        cache = {'k': k, 'v': v}
        N = k.shape[2]
        q, k = self.rotary(q, N), self.rotary(k, 0)
        a = q @ k.transpose(-1, -2) / self.hd ** .5
        a = a + torch.triu(torch.full((T, N), float('-inf')), N - T + 1)
        return self.o_proj((a.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C)), cache
