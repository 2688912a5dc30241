import torch


def flash_attention_backward(q, k, v, out, lse, d_out, causal=False, block_size=32):
    n, m = q.shape[-2], k.shape[-2]
    c = n and q.shape[-1] ** -0.5
    visible = torch.ones(n, m, dtype=torch.bool)
    if causal:
        visible = visible.tril(m - n)
    delta = (d_out * out).sum(-1, keepdim=True)
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for j in range(0, m, block_size):
        t = slice(j, j + block_size)
        p = torch.exp(q @ k[..., t, :].mT * c - lse[..., None]).masked_fill(~visible[:, t], 0)
        ds = p * (d_out @ v[..., t, :].mT - delta) * c
        dq += ds @ k[..., t, :]
        dk[..., t, :] = ds.mT @ q
        dv[..., t, :] = p.mT @ d_out
    return dq, dk, dv
