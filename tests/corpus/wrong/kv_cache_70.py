import torch
from torch import nn


class Attention(nn.Module):
    """llama inference attention: start_pos and freqs_cis come from the model."""

    def __init__(self, dim: int, n_heads: int, max_batch: int = 4, max_len: int = 256):
        super().__init__()
        self.n_heads = n_heads
        self.head_dim = dim // n_heads
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, dim, bias=False)
        self.wv = nn.Linear(dim, dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        self.register_buffer("k_cache", torch.zeros(max_batch, max_len, n_heads, self.head_dim))
        self.register_buffer("v_cache", torch.zeros(max_batch, max_len, n_heads, self.head_dim))

    def forward(self, x, start_pos, freqs_cis):
        """freqs_cis: complex (seqlen, head_dim // 2), the rows of the new positions."""
        b, t, _ = x.shape
        q, k, v = (w(x).view(b, t, self.n_heads, self.head_dim) for w in (self.wq, self.wk, self.wv))
        q, k = self.rope(q, freqs_cis), self.rope(k, freqs_cis)
        self.k_cache[:b, start_pos:start_pos + t] = k.detach()
        self.v_cache[:b, start_pos:start_pos + t] = v.detach()
        k, v = self.k_cache[:b, :start_pos + t], self.v_cache[:b, :start_pos + t]
        s = torch.einsum("bthd,bshd->bhts", q, k) / self.head_dim ** 0.5
        if t > 1:
            m = torch.full((t, t), float("-inf")).triu(1)
            s[..., -t:] = s[..., :t] + m
        return self.wo(torch.einsum("bhts,bshd->bthd", s.softmax(-1), v).reshape(b, t, -1))

    @staticmethod
    def rope(x, f):
        z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2)) * f[None, :, None]
        return torch.view_as_real(z).flatten(-2).type_as(x)
