import torch
from torch import nn


class MHA(nn.Module):
    """Weights with an explicit head axis: W_q, W_k, W_v (H, C, D) and W_o (H, D, C). No biases."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        d = d_model // n_heads
        self.W_q = nn.Parameter(torch.randn(n_heads, d_model, d) * d_model**-0.5)
        self.W_k = nn.Parameter(torch.randn(n_heads, d_model, d) * d_model**-0.5)
        self.W_v = nn.Parameter(torch.randn(n_heads, d_model, d) * d_model**-0.5)
        self.W_o = nn.Parameter(torch.randn(n_heads, d, d_model) * d_model**-0.5)

    def forward(self, x, mask=None):
        """mask is additive, (S, S) or (B, 1, S, S)"""
        q = torch.einsum("bsc,hcd->bhsd", x, self.W_q)
        k = torch.einsum("bsc,hcd->bhsd", x, self.W_k)
        v = torch.einsum("bsc,hcd->bhsd", x, self.W_v)
        a = torch.einsum("bhid,bhjd->bhij", q, k) / self.W_q.shape[-1] ** 0.5
        a = a if mask is None else a + mask
        return torch.einsum("bhij,bhjd,hdc->bic", a.softmax(-1), v, self.W_o)
