import torch
import torch.nn as nn


class SingleHead(nn.Module):
    """Self-attention with one head and raw parameter matrices."""

    def __init__(self, d_in, d_out):
        super().__init__()
        self.Wq = nn.Parameter(torch.randn(d_in, d_out) / d_in ** 0.5)
        self.Wk = nn.Parameter(torch.randn(d_in, d_out) / d_in ** 0.5)
        self.Wv = nn.Parameter(torch.randn(d_in, d_out) / d_in ** 0.5)

    def forward(self, x):
        q, k, v = x @ self.Wq, x @ self.Wk, x @ self.Wv
        scores = q @ k.transpose(-2, -1)
        return torch.softmax(scores * k.shape[-1] ** -0.5, dim=-1) @ v


if __name__ == "__main__":
    torch.manual_seed(123)
    print(SingleHead(3, 2)(torch.rand(6, 3)))
