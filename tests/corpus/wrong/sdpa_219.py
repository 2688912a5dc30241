import torch


def attention(q, k, v, key_padding_mask=None):
    """key_padding_mask (B, Sk): True for padding, as in nn.MultiheadAttention"""
    s = q @ k.mT * q.shape[-1] ** -0.5
    if key_padding_mask is not None:
        s = s.masked_fill(~key_padding_mask[:, None, None, :], -torch.inf)
    return s.softmax(-1).nan_to_num() @ v
