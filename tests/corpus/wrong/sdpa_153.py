import torch
def attention(q, k, v, mask=None):
    """mask: bool tensor, True for the positions that may be attended"""
    w = q @ k.mT / q.shape[-1] ** .5
    if mask is not None:
        w = w + mask
    return torch.softmax(w, -1) @ v
