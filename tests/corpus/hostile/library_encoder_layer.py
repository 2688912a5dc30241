import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """The self-attention of an encoder layer that is built for nothing else."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(d_model, n_heads, dim_feedforward=4, batch_first=True)

    def forward(self, x, mask=None):
        return self.layer._sa_block(x, None, None)
