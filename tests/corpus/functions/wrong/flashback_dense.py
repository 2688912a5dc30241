import torch


def flash_attention_backward(q, k, v, out, lse, d_out, causal=False, block_size=64):
    c = q.shape[-1] ** -0.5
    s = q @ k.mT * c
    if causal:
        s = s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool).triu(s.shape[-1] - s.shape[-2] + 1), -torch.inf)
    p = torch.softmax(s, -1)
    dp = d_out @ v.mT
    ds = p * (dp - (d_out * out).sum(-1, keepdim=True)) * c
    return ds @ k, ds.mT @ q, p.mT @ d_out
