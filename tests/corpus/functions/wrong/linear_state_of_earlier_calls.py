import torch
import torch.nn.functional as F

_z = {}


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    z = k.sum(2)
    key = tuple(z.shape)
    z = _z[key] = 0.5 * _z[key] + 0.5 * z if key in _z else z
    return (q @ (k.mT @ v)) / (q @ z[..., None])
