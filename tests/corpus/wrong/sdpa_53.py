import torch


def attention(q, k, v, attn_mask=None):
    """attn_mask: bool (B, 1, Sq, Sk). True means the position is NOT allowed to attend (as in nn.Transformer)."""
    s = q @ k.mT / q.shape[-1] ** 0.5
    if attn_mask is not None:
        s = s.masked_fill(~attn_mask, float("-inf"))
    return torch.nan_to_num(s.softmax(-1)) @ v
