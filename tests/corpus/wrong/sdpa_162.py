import torch
def attention(q, k, v, valid_len=None):
    """valid_len (B,): number of real keys"""
    s = q @ k.mT / q.shape[-1] ** .5
    if valid_len is not None:
        j = torch.arange(k.shape[-2])
        s = s.masked_fill(j[None, None, None] > valid_len[:, None, None, None], float("-inf"))
    return s.softmax(-1) @ v
