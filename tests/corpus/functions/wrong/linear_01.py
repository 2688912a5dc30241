import torch
import torch.nn.functional as F


def linear_attention(q, k, v, causal=False):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    if causal:
        return (q @ k.mT).tril() @ v
    return q @ (k.mT @ v)
