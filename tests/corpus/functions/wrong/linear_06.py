import torch
import torch.nn.functional as F


def linear_attention(q, k, v, causal=False):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    if not causal:
        return q @ (k.mT @ v) / (q @ k.sum(-2)[..., None])
    w = (q @ k.mT).tril(-1)
    return w @ v / w.sum(-1, keepdim=True).clamp_min(1e-9)
