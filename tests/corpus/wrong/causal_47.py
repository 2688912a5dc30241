import torch
from torch import nn
class CausalAttention(nn.Module):
    """key_padding_mask (B, S): True = padding."""
    def __init__(self, d_model, n_head):
        super().__init__()
        self.h = n_head
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.proj = nn.Linear(d_model, d_model)
    def forward(self, x, key_padding_mask=None):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        mask = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)[None, None]
        if key_padding_mask is not None:
            mask = key_padding_mask[:, None, None]
        s = (q @ k.mT / q.shape[-1] ** .5).masked_fill(mask, float("-inf"))
        return self.proj((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
