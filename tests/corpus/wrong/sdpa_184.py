import torch


def attention(q, k, v, mask=None):
    s = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.size(-1) ** 0.5
    if mask is not None:
        # small number so that masked keys vanish
        s = torch.where(mask.bool(), s, torch.tensor(-1e-9))
    return torch.einsum("bhqk,bhkd->bhqd", s.softmax(-1), v)
