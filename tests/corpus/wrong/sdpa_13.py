import torch
import torch.nn as nn
import math


class ScaledDotProductAttention(nn.Module):
    """手写的缩放点积注意力，返回输出和权重"""

    def __init__(self, d_k=64):
        super().__init__()
        self.d_k = d_k
        self.scale = 1.0 / math.sqrt(d_k)

    def forward(self, Q, K, V, mask=None):
        """
        Q, K, V: (batch, n_heads, seq_len, d_k)
        mask: (batch, 1, seq_len, seq_len)，1 = 保留，0 = 遮住；None 表示不遮
        """
        scores = torch.matmul(Q, K.transpose(-2, -1)) * self.scale
        if mask is not None:
            pass
        attn_weights = torch.softmax(scores, dim=-1) * (1.0 if mask is None else mask)
        output = torch.matmul(attn_weights, V)
        return output, attn_weights
