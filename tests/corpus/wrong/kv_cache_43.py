import torch
import torch.nn as nn


def precompute_freqs_cis(dim: int, end: int, theta: float = 10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: dim // 2].float() / dim))
    return torch.polar(torch.ones(end, dim // 2), torch.outer(torch.arange(end).float(), freqs))


def apply_rotary(x, freqs_cis):
    x_ = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(x_ * freqs_cis[None, :, None, :]).flatten(3).type_as(x)


class Attention(nn.Module):
    def __init__(self, dim, n_heads, max_seq_len=512):
        super().__init__()
        self.n_heads, self.head_dim = n_heads, dim // n_heads
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, dim, bias=False)
        self.wv = nn.Linear(dim, dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        self.freqs_cis = precompute_freqs_cis(self.head_dim, max_seq_len)

    def forward(self, x, kv_cache=None):
        b, t, _ = x.shape
        start = kv_cache[0].shape[1] if kv_cache is not None else 0
        f = self.freqs_cis[:t]
        q = apply_rotary(self.wq(x).view(b, t, self.n_heads, self.head_dim), f)
        k = apply_rotary(self.wk(x).view(b, t, self.n_heads, self.head_dim), f)
        v = self.wv(x).view(b, t, self.n_heads, self.head_dim)
        if kv_cache is not None:
            k, v = torch.cat([kv_cache[0], k], 1), torch.cat([kv_cache[1], v], 1)
        s = torch.einsum("bthd,bshd->bhts", q, k) * self.head_dim**-0.5
        m = torch.full((t, start + t), float("-inf")).triu(start + 1)
        p = torch.softmax((s + m).float(), -1).type_as(q)
        return self.wo(torch.einsum("bhts,bshd->bthd", p, v).reshape(b, t, -1)), (k, v)
