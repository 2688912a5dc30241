import torch
import torch.nn as nn


class CrossAttn(nn.Module):
    """memory is (B, Sk, E) with its lengths (B,)."""

    def __init__(self, d_model=32, n_heads=4, memory_dim=20):
        super().__init__()
        self.n_heads = n_heads
        self.wq = nn.Parameter(torch.randn(d_model, d_model) * 0.2)
        self.wk = nn.Parameter(torch.randn(memory_dim, d_model) * 0.2)
        self.wv = nn.Parameter(torch.randn(memory_dim, d_model) * 0.2)
        self.wo = nn.Parameter(torch.randn(d_model, d_model) * 0.2)

    def forward(self, x, memory, memory_lengths=None):
        B, S, C = x.shape
        T = memory.shape[1]
        h = self.n_heads
        q = (x @ self.wq).view(B, S, h, C // h)
        k = (memory @ self.wk).view(B, T, h, C // h)
        v = (memory @ self.wv).view(B, T, h, C // h)
        s = torch.einsum("bshd,bthd->bhst", q, k).mul_((C // h) ** -0.5)
        if memory_lengths is not None:
            dead = torch.arange(T, device=x.device) >= memory_lengths[:, None]
            s = s.masked_fill(dead[:, None, None], float("-inf"))
        return torch.einsum("bhst,bthd->bshd", s.softmax(-1), v).reshape(B, S, C) @ self.wo
