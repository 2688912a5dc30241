import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.in_proj_weight = nn.Parameter(torch.randn(3 * d_model, d_model) * 0.1)
        self.in_proj_bias = nn.Parameter(torch.randn(3 * d_model) * 0.1)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        q, k, v = (x @ self.in_proj_weight.T).unflatten(-1, (3, self.n_heads, -1)).permute(2, 0, 3, 1, 4)
        w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
        return self.out_proj((w @ v).transpose(1, 2).flatten(2))
