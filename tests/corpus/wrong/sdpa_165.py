import torch
def attention(q, k, v, mask=None):
    return v.mean(-2, keepdim=True).expand(*q.shape[:-1], v.shape[-1])
