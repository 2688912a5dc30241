# coach: causal
import torch


def attention(q, k, v, *, is_causal=True, scale=None):
    """A decoder by default; is_causal=False turns it into an encoder."""
    scale = scale or q.shape[-1] ** -0.5
    s = (q * scale).matmul(k.mT)
    if is_causal:
        future = ~torch.tril(torch.ones_like(s[0, 0], dtype=torch.bool), diagonal=k.shape[-2] - q.shape[-2])
        s = s.masked_fill(future, -torch.inf)
    p = s.softmax(-1).nan_to_num(0.0)
    return p.matmul(v)
