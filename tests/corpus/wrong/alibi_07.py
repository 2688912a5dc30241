import torch


def alibi_attention(q, k, v):
    H, sq, sk = q.shape[1], q.shape[-2], k.shape[-2]
    i = torch.arange(sq)[:, None] + sk - sq
    j = torch.arange(sk)
    m = 2 ** (-8 * torch.arange(1, H + 1) / H)
    s = (q @ k.mT + m[:, None, None] * (j - i)) * q.shape[-1] ** -0.5
    return s.masked_fill(j > i, -torch.inf).softmax(-1) @ v
