import torch


def sliding_window_attention(q, k, v, window):
    """query i sees keys i - window + 1 .. i; the last query is at the last key (Sq may differ from Sk)"""
    sq, sk = q.shape[-2], k.shape[-2]
    i = torch.arange(sq)[:, None] + sk - sq
    j = torch.arange(sk)[None, :]
    causal = j <= i
    near = (i - j) % 2 * (i - j) < window
    s = q @ k.mT / q.shape[-1] ** 0.5
    return torch.softmax(s.masked_fill(~(causal & near), float("-inf")), dim=-1) @ v
