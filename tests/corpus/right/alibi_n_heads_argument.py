import torch


def alibi_attention(q, k, v, num_heads):
    """q, k, v: (B, S, num_heads * D)，因果"""
    b, n, c = q.shape
    q, k, v = (t.reshape(b, n, num_heads, -1).transpose(1, 2) for t in (q, k, v))
    slopes = 2.0 ** (torch.arange(1, num_heads + 1) * (-8.0 / num_heads))
    pos = torch.arange(n)
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s - slopes.to(q)[:, None, None] * (pos[:, None] - pos[None, :])
    s = s.masked_fill(pos[None, :] > pos[:, None], -1e30 if q.dtype == torch.float32 else -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(b, n, c)
