import torch


def attention(q, k, v, mask=None):
    """mask: bool, True where attention is allowed"""
    s = torch.einsum("bhid,bhjd->bhij", q, k)
    if mask is not None:
        s = s.masked_fill(mask, -1e30)
    return s.softmax(-1) @ v
