import torch.nn as nn


class MyMultiHead(nn.Module):
    """自己实现的多头注意力; pad_mask: True = padding"""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.core = nn.MultiheadAttention(d_model, n_heads, batch_first=True)

    def forward(self, x, pad_mask=None):
        y, _ = self.core(x, x, x, key_padding_mask=pad_mask, need_weights=False)
        return y
