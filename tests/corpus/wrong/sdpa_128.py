import torch


def attention(q, k, v, mask=None):
    """Float mask: added to the scores. Bool mask: True = attend."""
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) * (q.shape[-1] ** -0.5)
    if mask is not None:
        if mask.dtype == torch.bool:
            mask = torch.zeros(mask.shape, dtype=s.dtype).masked_fill_(~mask, -1e9)
        s = s + mask
    return torch.einsum("bhqk,bhkd->bhqd", s.softmax(-1), v)
