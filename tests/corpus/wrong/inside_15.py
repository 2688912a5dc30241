import torch


def rope(x, pos):
    d = x.shape[-1]
    a = pos[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / d)
    c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
    return torch.stack([x[..., ::2] * c - x[..., 1::2] * s, x[..., ::2] * s + x[..., 1::2] * c], -1).flatten(-2)


def causal_attention(q, k, v):
    """Causal attention with RoPE (neighbouring channels). Sq may be shorter than Sk: the last query is at the last key."""
    sq, sk = q.shape[-2], k.shape[-2]
    q, k = rope(q, torch.arange(sq) + sk - sq), rope(k, torch.arange(sk))
    s = q @ k.mT / q.shape[-1] ** 0.5
    keep = torch.ones(sq, sk, dtype=torch.bool).tril()
    return torch.softmax(s.masked_fill(~keep, -torch.inf), -1) @ v
