import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """权重是 Parameter，右乘"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        make = lambda: nn.Parameter(torch.randn(d_model, d_model) / d_model ** 0.5)
        self.W_Q, self.W_K, self.W_V, self.W_O = make(), make(), make(), make()
        self.n_heads = n_heads

    def forward(self, x):
        B, S, C = x.shape
        heads = lambda t: t.reshape(B, S, self.n_heads, C // self.n_heads).permute(0, 2, 1, 3)
        Q = heads(x @ self.W_Q)
        K = heads(x @ self.W_Q)
        V = heads(x @ self.W_V)
        A = torch.softmax(Q @ K.permute(0, 1, 3, 2) / (C // self.n_heads) ** 0.5, -1)
        return (A @ V).permute(0, 2, 1, 3).reshape(B, S, C) @ self.W_O
