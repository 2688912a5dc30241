import torch
import torch.nn.functional as F


def attention(q, k, v):
    # pad the keys to full tiles of eight
    extra = -k.shape[2] % 8
    k = F.pad(k, (0, 0, 0, extra))
    v = F.pad(v, (0, 0, 0, extra))
    w = torch.softmax(q @ k.mT / q.shape[3] ** 0.5, dim=-1)
    return w @ v
