import torch


def swa(q, k, v, window):
    n, m = q.size(-2), k.size(-2)
    ones = torch.ones(n, m, dtype=torch.bool)
    keep = ones.tril(m - n) & ones.triu(m - n - window)
    s = torch.einsum("bhid,bhjd->bhij", q, k) * q.size(-1) ** -0.5
    return torch.einsum("bhij,bhjd->bhid", s.masked_fill(~keep, -torch.inf).softmax(-1), v)
