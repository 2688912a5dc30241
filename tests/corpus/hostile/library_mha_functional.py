import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads, self.d_model = n_heads, d_model
        self.in_proj_weight = nn.Parameter(torch.randn(3 * d_model, d_model) * d_model**-0.5)
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * d_model))
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        x = x.transpose(0, 1)
        out, _ = F.multi_head_attention_forward(
            x, x, x, self.d_model, self.n_heads, self.in_proj_weight, self.in_proj_bias, None, None, False, 0.0,
            self.out_proj.weight, self.out_proj.bias, training=False,
        )
        return out.transpose(0, 1)
