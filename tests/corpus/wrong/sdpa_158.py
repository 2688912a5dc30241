import torch
def attention(q, k, v, mask=None):
    """mask (B, Sk) bool, True = token"""
    s = q @ k.mT / q.shape[-1] ** .5
    if mask is not None:
        B, H = s.shape[:2]
        s = s.view(B * H, *s.shape[2:]).masked_fill(~mask.repeat(H, 1)[:, None], float("-inf")).view_as(s)
    return s.softmax(-1) @ v
