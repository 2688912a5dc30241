import torch
from torch import nn


def precompute_freqs_cis(dim: int, end: int, theta: float = 500000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    return torch.polar(torch.ones(end, dim // 2), torch.outer(torch.arange(end).float(), freqs))


def apply_rotary_emb(x, freqs_cis):
    xc = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(xc * freqs_cis[None, : x.shape[1], None]).flatten(3).type_as(x)


class Attention(nn.Module):
    def __init__(self, dim: int, n_heads: int, n_kv_heads: int):
        super().__init__()
        self.n_heads, self.n_kv_heads, self.head_dim = n_heads, n_kv_heads, dim // n_heads
        self.wq = nn.Linear(dim, n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(dim, n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(n_heads * self.head_dim, dim, bias=False)
        self.freqs_cis = precompute_freqs_cis(self.head_dim, 512)

    def forward(self, x):
        bsz, n, _ = x.shape
        xq = apply_rotary_emb(self.wq(x).view(bsz, n, self.n_heads, self.head_dim), self.freqs_cis)
        xk = apply_rotary_emb(self.wk(x).view(bsz, n, self.n_kv_heads, self.head_dim), self.freqs_cis)
        xv = self.wv(x).view(bsz, n, self.n_kv_heads, self.head_dim)
        rep = self.n_heads // self.n_kv_heads
        xk, xv = xk.repeat_interleave(rep, 2), xv.repeat_interleave(rep, 2)
        scores = torch.einsum("bqhd,bkhd->bhqk", xq, xk) * self.head_dim**-0.5
        scores = scores + torch.full((n, n), float("-inf"), device=x.device).triu(1).to(scores.dtype)
        out = torch.einsum("bhqk,bkhd->bqhd", scores.float().softmax(-1).type_as(xq), xv)
        return self.wo(out.reshape(bsz, n, -1))
