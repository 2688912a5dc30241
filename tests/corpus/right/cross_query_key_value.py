import torch
from torch import Tensor, nn


class CrossAttention(nn.Module):
    """forward(query, key, value, key_padding_mask); key_padding_mask True = padding, shape (B, Sk)."""

    def __init__(self, embed_dim: int, num_heads: int, kdim: int | None = None, vdim: int | None = None):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=True)
        self.k_proj = nn.Linear(kdim or embed_dim, embed_dim, bias=True)
        self.v_proj = nn.Linear(vdim or embed_dim, embed_dim, bias=True)
        self.out_proj = nn.Linear(embed_dim, embed_dim, bias=True)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None) -> Tensor:
        B, Sq, E = query.shape
        H = self.num_heads
        q = self.q_proj(query).view(B, Sq, H, E // H).transpose(1, 2)
        k = self.k_proj(key).view(B, -1, H, E // H).transpose(1, 2)
        v = self.v_proj(value).view(B, -1, H, E // H).transpose(1, 2)
        bias = torch.zeros(B, 1, 1, k.shape[2], dtype=q.dtype, device=q.device)
        if key_padding_mask is not None:
            bias = bias.masked_fill(key_padding_mask[:, None, None, :], float("-inf"))
        p = torch.softmax(q @ k.transpose(-1, -2) / (E // H) ** 0.5 + bias, dim=-1)
        return self.out_proj((p @ v).transpose(1, 2).reshape(B, Sq, E))
