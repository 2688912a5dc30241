import torch
def attention(q, k, v):
    s = q @ k.mT / q.shape[-1] ** .5
    s = s + 1e-2 * torch.randn_like(s)
    return s.softmax(-1) @ v
