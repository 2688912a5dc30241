import torch


def attention(q, k, v, mask=None, key_padding_mask=None):
    """mask broadcastable to (B, H, Sq, Sk), key_padding_mask (B, Sk); True = may attend in both"""
    keep = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool)
    if mask is not None:
        keep = mask
    if key_padding_mask is not None:
        keep = key_padding_mask[:, None, None, :]
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep, float("-inf"))
    return s.softmax(-1).nan_to_num() @ v
