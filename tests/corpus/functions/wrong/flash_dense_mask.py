import torch


def flash_attention(q, k, v, causal=False, block_size=32):
    n, s_k = q.shape[-2], k.shape[-2]
    visible = torch.ones(n, s_k, dtype=torch.bool).tril(s_k - n) if causal else None
    m = torch.full(q.shape[:-1], -torch.inf)
    l = torch.zeros_like(m)
    o = torch.zeros(*q.shape[:-1], v.shape[-1])
    for j in range(0, s_k, block_size):
        x = (q @ k[..., j : j + block_size, :].mT).float() * q.shape[-1] ** -0.5
        if visible is not None:
            x = x.masked_fill(~visible[:, j : j + block_size], -torch.inf)
        new = torch.maximum(m, x.amax(-1))
        ref = new.masked_fill(new == -torch.inf, 0)
        e, f = torch.exp(x - ref[..., None]), torch.exp(m - ref)
        l, o, m = l * f + e.sum(-1), o * f[..., None] + e @ v[..., j : j + block_size, :].float(), new
    return (o / l.clamp_min(1e-30)[..., None]).to(q.dtype), m + l.log()
