import torch


def attend_left(q, k, v):
    """Time first: q (T, B, N, D), k and v (S, B, N, D)."""
    T, S = q.shape[0], k.shape[0]
    a = torch.einsum("ibnd,jbnd->ijbn", q, k) / q.shape[-1] ** 0.5
    ahead = torch.arange(S)[None, :] > torch.arange(T)[:, None] + (S - T)
    a = a.masked_fill(ahead[..., None, None].to(a.device), float("-inf")).softmax(dim=1)
    return torch.einsum("ijbn,jbnd->ibnd", a, v)
