import torch


def flash_attention(q, k, v, causal=False, block_size=64):
    s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    if causal:
        n, m = s.shape[-2:]
        s = s.masked_fill(~torch.ones(n, m, dtype=torch.bool).tril(m - n), -torch.inf)
    lse = torch.logsumexp(s, -1)
    p = torch.exp(s - lse.masked_fill(lse == -torch.inf, 0)[..., None])
    return p @ v, lse
