import torch


def sliding_window_attention(q, k, v, window):
    rep = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(rep, 1), v.repeat_interleave(rep, 1)
    i = torch.arange(q.shape[2]) + k.shape[2] - q.shape[2]
    band = torch.stack([(torch.arange(k.shape[2]) <= p) & (torch.arange(k.shape[2]) > p - window) for p in i])
    s = (q * q.shape[-1] ** -0.5) @ k.mT
    s = torch.where(band, s, torch.full_like(s, -torch.inf))
    return torch.exp(s - torch.logsumexp(s, -1, keepdim=True)).nan_to_num() @ v
