import torch


def attention(q, k, v):
    """A column of ones beside V makes numerator and denominator one matmul."""
    s = torch.einsum("bhnd,bhmd->bhnm", q, k) / q.shape[-1] ** 0.5
    e = torch.exp(s - s.max(dim=-1, keepdim=True)[0])
    ext = torch.cat([v, torch.ones_like(v[..., :1])], dim=-1)
    both = e @ ext
    return both[..., :-1] / both[..., -1:]
