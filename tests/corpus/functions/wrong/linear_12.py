import torch
import torch.nn.functional as F
def linear_attention(q, k, v, causal=False):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = k.transpose(-1, -2) @ v
    return q @ kv / (q @ k.sum(-2, keepdim=True).transpose(-1, -2))
