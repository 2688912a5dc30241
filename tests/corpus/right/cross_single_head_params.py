import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    """One head, two sequences, raw matrices (d_in, d_out_kq) and (d_in, d_out_v). No output projection."""

    def __init__(self, d_in, d_out_kq, d_out_v):
        super().__init__()
        self.d_out_kq = d_out_kq
        self.W_query = nn.Parameter(torch.rand(d_in, d_out_kq) - 0.5)
        self.W_key = nn.Parameter(torch.rand(d_in, d_out_kq) - 0.5)
        self.W_value = nn.Parameter(torch.rand(d_in, d_out_v) - 0.5)

    def forward(self, x_1, x_2):
        # x_1 提问，x_2 提供 key 和 value
        queries_1 = x_1 @ self.W_query
        keys_2 = x_2 @ self.W_key
        values_2 = x_2 @ self.W_value
        attn_scores = queries_1 @ keys_2.transpose(-2, -1)
        attn_weights = torch.softmax(attn_scores / self.d_out_kq ** 0.5, dim=-1)
        return attn_weights @ values_2
