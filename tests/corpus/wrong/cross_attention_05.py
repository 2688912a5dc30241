import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q_lin, self.k_lin, self.v_lin, self.o_lin = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, context):
        # 查询来自 x，键和值来自 context
        B, S, C = context.shape
        view = lambda t: t.view(B, S, self.n_heads, C // self.n_heads).transpose(1, 2)
        q, k, v = view(self.q_lin(context)), view(self.k_lin(context)), view(self.v_lin(context))
        w = torch.softmax(q @ k.transpose(-1, -2) * (C // self.n_heads) ** -0.5, dim=-1)
        return self.o_lin((w @ v).transpose(1, 2).reshape(B, S, C))
