import torch


def causal_gqa(q, k, v):
    """Causal: the last query is at the last key, also with a cache (Sq < Sk)."""
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, dim=1), v.repeat_interleave(g, dim=1)
    s = q @ k.mT / q.shape[-1] ** 0.5
    keep = torch.ones(s.shape[-2:], dtype=torch.bool).tril()
    return s.masked_fill(~keep, float("-inf")).softmax(-1) @ v
