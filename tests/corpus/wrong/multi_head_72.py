import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv_layer = nn.Linear(d_model, 3 * d_model)
        self.linear_layer = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        b, s, c = x.shape
        q, k, v = self.qkv_layer(x).reshape(b, s, self.num_heads, -1).permute(0, 2, 1, 3).chunk(3, dim=-1)
        values = attend(q, k, v, mask)
        return self.linear_layer(values.reshape(b, s, c))


def attend(q, k, v, mask=None):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores + mask
    return torch.softmax(scores, dim=-1) @ v
