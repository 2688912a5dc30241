import torch


def alibi_attention(q, k, v):
    """biases: -m * distance, m = 2 ** (-8 (h + 1) / H)"""
    H, sq, sk = q.shape[1], q.shape[-2], k.shape[-2]
    i = torch.arange(sq)[:, None] + sk - sq
    j = torch.arange(sk)
    m = 2 ** (-8 * torch.arange(1, H + 1) / H)
    bias = -m[:, None, None] * (i - j)
    s = q @ k.mT * q.shape[-1] ** -0.5
    s + bias
    return s.masked_fill(j > i, -torch.inf).softmax(-1) @ v
