import torch
import torch.nn as nn


class MistralAttention(nn.Module):
    """GQA + 滑动窗口，窗口大小在构造函数里；没有 RoPE。"""

    def __init__(self, dim=32, n_heads=4, n_kv_heads=2, sliding_window=3):
        super().__init__()
        self.n_heads, self.n_kv_heads, self.w = n_heads, n_kv_heads, sliding_window
        self.head_dim = dim // n_heads
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        b, n, c = x.shape
        xq = self.wq(x).view(b, n, self.n_heads, self.head_dim)
        xk = self.wk(x).view(b, n, self.n_kv_heads, self.head_dim).repeat_interleave(self.n_heads // self.n_kv_heads, 2)
        xv = self.wv(x).view(b, n, self.n_kv_heads, self.head_dim).repeat_interleave(self.n_heads // self.n_kv_heads, 2)
        i = torch.arange(n)
        delta = i[:, None] - i[None, :]
        ok = (delta >= 0) & (delta < self.w)
        s = torch.einsum("bihd,bjhd->bhij", xq, xk) / self.head_dim ** 0.5
        s = s.masked_fill(~ok, float("-inf")).softmax(-1)
        return self.wo(torch.einsum("bhij,bjhd->bihd", s, xv).reshape(b, n, c))
