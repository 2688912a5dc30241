import torch


def sliding_window_attention(q, k, v, window):
    """Sq may differ from Sk; the last query is at the last key."""
    sq, sk = q.shape[-2], k.shape[-2]
    i = torch.arange(sq)[:, None]
    j = torch.arange(sk)
    keep = (j <= i) & (j > i - window)
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep, -torch.inf)
    return torch.nan_to_num(s.softmax(-1)) @ v
