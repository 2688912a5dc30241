import torch


def alibi_attention(q, k, v):
    h, sq, sk = q.size(1), q.size(2), k.size(2)
    slopes = torch.exp2(-8.0 * torch.arange(h, 0, -1) / h)
    i = torch.arange(sk - sq, sk).unsqueeze(1)
    j = torch.arange(sk)
    s = torch.einsum("bhid,bhjd->bhij", q, k) / q.size(-1) ** 0.5
    s = s - slopes[:, None, None] * (i - j)
    s = s.masked_fill(j > i, float("-inf"))
    return torch.einsum("bhij,bhjd->bhid", s.softmax(-1), v)
