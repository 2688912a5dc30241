import torch


def gqa(q, k, v):
    b, h, s, d = q.shape
    g = h // k.shape[1]
    out = torch.empty(b, h, s, v.shape[-1], dtype=q.dtype)
    for i in range(h):
        out[:, i] += torch.softmax(q[:, i] @ k[:, i // g].mT / d**0.5, -1) @ v[:, i // g]
    return out
