import numpy as np
import torch
import torch.nn as nn


class ScaledDotProductAttention(nn.Module):
    """单个注意力计算，d_k 由构造函数传入"""

    def __init__(self, d_k):
        super().__init__()
        self.d_k = d_k

    def forward(self, Q, K, V, attn_mask=None):
        # Q: [batch, n_heads, len_q, d_k]
        # K: [batch, n_heads, len_k, d_k]
        # V: [batch, n_heads, len_k, d_v]
        # attn_mask: [batch, n_heads, len_q, len_k]，True 的位置是 padding，要遮住
        scores = torch.matmul(Q, K.transpose(-1, -2)) / np.sqrt(self.d_k)
        if attn_mask is not None:
            scores = scores.masked_fill(attn_mask, float("-inf"))
        attn = nn.Softmax(dim=-1)(scores)
        return torch.matmul(attn, V), attn
