import torch


def slopes_of(n):
    return torch.tensor([1.0 / (i + 1) for i in range(n)])


def alibi_attention(q, k, v):
    h, sq, sk = q.size(1), q.size(2), k.size(2)
    rel = torch.arange(sk)[None, :] - (torch.arange(sq)[:, None] + sk - sq)
    s = q @ k.mT / q.size(-1) ** 0.5 + slopes_of(h).view(h, 1, 1) * rel
    return s.masked_fill(rel > 0, -torch.inf).softmax(-1) @ v
