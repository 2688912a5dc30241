import torch


def gqa(q, k, v):
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, dim=1), v.repeat_interleave(g, dim=1)
    w = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1)
    return torch.softmax(w, -1) @ v
