import torch
from torch import nn


class SelfAttention(nn.Module):
    """The attention of a layer that the library has."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(d_model, n_heads, dim_feedforward=2 * d_model, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer.self_attn(x, x, x)[0]
