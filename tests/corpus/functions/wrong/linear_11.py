import torch
import torch.nn.functional as F


def linear_attention(q, k, v, causal=False):
    F.elu(q, inplace=True).add_(1)
    F.elu(k, inplace=True).add_(1)
    if causal:
        w = (q @ k.mT).tril()
        return w @ v / w.sum(-1, keepdim=True)
    return q @ (k.mT @ v) / (q @ k.sum(-2)[..., None])
