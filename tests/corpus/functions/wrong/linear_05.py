import torch
import torch.nn.functional as F


def linear_attention(q, k, v, causal=False):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    z = (q * k.sum(2, keepdim=True)).sum(-1, keepdim=True)
    if causal:
        kv = torch.einsum("bhsd,bhse->bhsde", k, v).cumsum(2)
        return torch.einsum("bhsd,bhsde->bhse", q, kv) / z
    return q @ (k.transpose(-1, -2) @ v) / z
