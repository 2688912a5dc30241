import torch
import torch.nn.functional as F


def causal_attention(q, k, v):
    S, L = q.size(-2), k.size(-2)
    w = F.softmax(q @ k.transpose(-2, -1) / q.size(-1) ** 0.5, dim=-1)
    w = torch.tril(w, diagonal=L - S)
    return w @ v
