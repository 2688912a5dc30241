import torch
import torch.nn as nn


class CachedAttention(nn.Module):
    """GQA 的 KV cache；缓存是 list [k, v]，形状 (2, B, G, S, D) 堆叠也可以看成一个张量。"""

    def __init__(self, d_model, n_heads, n_kv_heads=None):
        super().__init__()
        self.H = n_heads
        self.G = n_kv_heads or n_heads
        self.D = d_model // n_heads
        self.wq = nn.Linear(d_model, self.H * self.D)
        self.wkv = nn.Linear(d_model, 2 * self.G * self.D)
        self.wo = nn.Linear(self.H * self.D, d_model)

    def forward(self, x, cache=None):
        B, T, _ = x.shape
        q = self.wq(x).view(B, T, self.G, self.H // self.G, self.D).permute(0, 2, 3, 1, 4)
        kv = self.wkv(x).view(B, T, 2, self.G, self.D).permute(2, 0, 3, 1, 4)
        if cache is not None:
            kv = torch.cat([cache, kv], dim=3)
        k, v = kv[0], kv[1]
        L = k.shape[2]
        s = torch.einsum("bgrtd,bgld->bgrtl", q, k) * self.D ** -0.5
        keep = torch.ones(T, L, dtype=torch.bool).tril(L - T)
        s = s.masked_fill(~keep, torch.finfo(s.dtype).min)
        o = torch.einsum("bgrtl,bgld->btgrd", s.softmax(-1), v)
        return self.wo(o.flatten(2)), kv
