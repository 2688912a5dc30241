import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.o_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, S, C = x.shape
        h = self.n_heads
        q = (x @ self.q_proj.weight.T).view(B, S, h, C // h)
        k = (x @ self.k_proj.weight.T).view(B, S, h, C // h)
        v = (x @ self.v_proj.weight.T).view(B, S, h, C // h)
        w = torch.einsum("bihd,bjhd->bhij", q, k).div((C // h) ** 0.5).softmax(dim=-1)
        return torch.einsum("bhij,bjhd->bihd", w, v).reshape(B, S, C) @ self.o_proj.weight.T
