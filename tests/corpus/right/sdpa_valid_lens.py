import math

import torch
from torch import nn


def masked_softmax(X, valid_lens):
    """在最后一个轴上遮蔽多余的元素后做 softmax。X: 3D, valid_lens: 1D 或 2D"""
    if valid_lens is None:
        return nn.functional.softmax(X, dim=-1)
    if valid_lens.dim() == 1:
        valid_lens = valid_lens[:, None].expand(-1, X.size(1))
    pos = torch.arange(X.size(-1), device=X.device)
    X = X.masked_fill(pos >= valid_lens[:, :, None], float("-inf"))
    return nn.functional.softmax(X, dim=-1)


class DotProductAttention(nn.Module):
    """缩放点积注意力，queries (批量, 查询数, d)，values (批量, 键值对数, 值维度)"""

    def __init__(self, dropout=0.5, **kwargs):
        super().__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
