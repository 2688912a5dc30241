import torch


def attention(q, k, v, mask=None):
    """mask: bool (True keep) or float (added)"""
    s = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None and mask.dtype == torch.bool:
        s = s.masked_fill(~mask, -torch.inf)
    return s.softmax(-1).nan_to_num() @ v
