import torch


def gqa(q, k, v, n_rep: int):
    """q: (B, Hkv * n_rep, S, D); k, v: (B, Hkv, S, D)."""
    b, hkv, s, d = k.shape
    k = k.unsqueeze(2).expand(-1, -1, n_rep, -1, -1).reshape(b, hkv * n_rep, s, d)
    v = v.unsqueeze(2).expand(-1, -1, n_rep, -1, -1).reshape(b, hkv * n_rep, s, v.shape[-1])
    att = torch.einsum("bhid,bhjd->bhij", q / d**0.5, k)
    return torch.einsum("bhij,bhjd->bhid", torch.softmax(att, -1), v)
