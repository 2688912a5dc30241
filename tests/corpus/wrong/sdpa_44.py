import torch


def attention(q, k, v, mask=None):
    """Flash style exponent in base two. Boolean mask, True = may attend."""
    qk_scale = q.shape[-1] ** -0.5
    s = torch.einsum("bhmd,bhnd->bhmn", q * qk_scale, k)
    if mask is not None:
        s = s.masked_fill(~mask, -1e30 if s.dtype != torch.float16 else -6e4)
    p = torch.exp2(s - s.amax(-1, keepdim=True))
    return torch.einsum("bhmn,bhne->bhme", p, v) / p.sum(-1, keepdim=True)
