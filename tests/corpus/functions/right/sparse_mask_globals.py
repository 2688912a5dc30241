import torch


def longformer_attention(q, k, v, w, is_global):
    """is_global: bool (S,)"""
    S = q.shape[2]
    idx = torch.arange(S)
    keep = ((idx[None] - idx[:, None]).abs() <= w) | is_global[None, :] | is_global[:, None]
    scores = torch.where(keep, torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5, torch.tensor(float("-inf"), dtype=q.dtype))
    return torch.einsum("bhij,bhjd->bhid", scores.softmax(-1), v)
