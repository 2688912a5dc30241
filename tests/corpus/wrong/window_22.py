import torch


def sliding_window_attention(q, k, v, window):
    """Causal; query i sees keys i - window + 1 .. i; Sq may differ from Sk."""
    sq, sk = q.shape[-2], k.shape[-2]
    i = torch.arange(sq)[:, None] + sk - sq
    j = torch.arange(sk)[None, :]
    keep = (j <= i) & (j < window)
    s = q @ k.mT / q.shape[-1] ** 0.5
    return torch.softmax(s.masked_fill(~keep, float("-inf")), dim=-1) @ v
