import torch


def rope(x, pos, base=10000.0):
    half = x.shape[-1] // 2
    freq = base ** (-torch.arange(half, dtype=torch.float32) / half)
    ang = (pos[:, None].float() * freq).to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * ang.cos() - b * ang.sin(), b * ang.cos() + a * ang.sin()], -1)


def causal_attention(q, k, v):
    """Causal attention with RoPE; the last query stands at the last key."""
    sq, sk = q.shape[-2], k.shape[-2]
    q = rope(q, torch.arange(sk - sq, sk))
    k = rope(k, torch.arange(sk))
    s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    keep = torch.ones(sq, sk, dtype=torch.bool).tril(sk - sq)
    return torch.softmax(s.masked_fill(~keep, -torch.inf), -1) @ v
