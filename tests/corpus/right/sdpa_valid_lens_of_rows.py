import torch
import torch.nn as nn


class DotProductAttention(nn.Module):
    """d2l 风格：queries (B, Sq, D), keys (B, Sk, D), values (B, Sk, Dv)；valid_lens 可为 (B,) 或 (B, Sq)。"""

    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def masked_softmax(self, X, valid_lens):
        if valid_lens is None:
            return X.softmax(-1)
        shape = X.shape
        if valid_lens.dim() == 1:
            valid_lens = torch.repeat_interleave(valid_lens, shape[1])
        else:
            valid_lens = valid_lens.reshape(-1)
        X = X.reshape(-1, shape[-1]).clone()
        m = torch.arange(shape[-1], device=X.device)[None, :] < valid_lens[:, None]
        X[~m] = -1e6
        return X.reshape(shape).softmax(-1)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / d ** 0.5
        self.attention_weights = self.masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
