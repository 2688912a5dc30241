import torch


def alibi_attention(q, k, v):
    H, sq, sk = q.shape[1], q.shape[-2], k.shape[-2]
    rel = torch.arange(sk)[None, :] - torch.arange(sk - sq, sk)[:, None]
    m = torch.exp2(-8 * torch.arange(1, H + 1) / H)
    s = q @ k.mT * q.shape[-1] ** -0.5 + m[:, None, None] * rel
    keep = torch.ones(sq, sk, dtype=torch.bool).tril(sk - sq + 1)
    return s.masked_fill(~keep, -torch.inf).softmax(-1) @ v
