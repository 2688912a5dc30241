import torch.nn as nn


class MultiHeadAttention(nn.MultiheadAttention):
    def __init__(self, d_model, n_heads):
        super().__init__(d_model, n_heads, batch_first=True)

    def forward(self, x, mask=None):
        return super().forward(x, x, x, need_weights=False, attn_mask=None if mask is None else ~mask)[0]
