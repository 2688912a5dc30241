import torch
import torch.nn as nn


class ScaledDotProduct(nn.Module):
    """attn_mask: True = 屏蔽该位置"""

    def forward(self, q, k, v, attn_mask=None):
        a = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
        if attn_mask is not None:
            a = a - attn_mask.to(a.dtype)
        return torch.einsum("...qk,...kd->...qd", a.softmax(dim=-1), v)
