import torch
from torch import nn


class LlamaAttention(nn.Module):
    """GQA + RoPE."""

    def __init__(self, dim, n_heads, n_kv_heads):
        super().__init__()
        self.h, self.hk, self.d = n_heads, n_kv_heads, dim // n_heads
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, n_kv_heads * self.d, bias=False)
        self.wv = nn.Linear(dim, n_kv_heads * self.d, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)

    def rotary(self, x):
        n = x.shape[1]
        f = 1.0 / 10000 ** (torch.arange(0, self.d, 2) / self.d)
        cis = torch.polar(torch.ones(n, self.d // 2), torch.outer(torch.arange(n).float(), f))
        z = torch.view_as_complex(x.float().unflatten(-1, (-1, 2))) * cis[:, None]
        return torch.view_as_real(z).flatten(-2).to(x.dtype)

    def forward(self, x):
        b, n, _ = x.shape
        q = self.rotary(self.wq(x).view(b, n, self.h, self.d)).transpose(1, 2)
        k = self.rotary(self.wk(x).view(b, n, self.hk, self.d)).transpose(1, 2)
        v = self.wv(x).view(b, n, self.hk, self.d).transpose(1, 2)
        k, v = (t.repeat_interleave(self.h // self.hk, dim=1) for t in (k, v))
        a = (q @ k.mT / self.d).softmax(-1)
        return self.wo((a @ v).transpose(1, 2).reshape(b, n, -1))
