import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """Multi-head self attention.

    mask: boolean, True for positions that MAY be attended to.
    """

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, mask=None):
        b, s, c = x.shape
        q, k, v = (w(x).reshape(b, s, self.n_heads, -1).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        score = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            score = score.masked_fill(mask, torch.finfo(score.dtype).min)
        return self.wo((score.softmax(-1) @ v).transpose(1, 2).reshape(b, s, c))
