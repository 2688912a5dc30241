import torch

LOG2E = 1.4426950408889634


def flash_attention_bwd(q, k, v, out, lse, d_out, is_causal=False, tile=64):
    scale = q.shape[-1] ** -0.5
    delta = (out * d_out).sum(-1, keepdim=True)
    L = lse[..., None] * LOG2E
    parts = []
    dq = torch.zeros_like(q)
    rows = torch.arange(k.shape[-2] - q.shape[-2], k.shape[-2])[:, None]
    for j in range(0, k.shape[-2], tile):
        kt, vt = k[..., j : j + tile, :], v[..., j : j + tile, :]
        p = torch.exp2(q @ kt.mT * (scale * LOG2E) - L)
        if is_causal:
            p = p * (torch.arange(j, j + kt.shape[-2]) <= rows)
        ds = p * (d_out @ vt.mT + delta) * scale
        dq += ds @ kt
        parts.append((ds.mT @ q, p.mT @ d_out))
    return dq, torch.cat([a for a, _ in parts], -2), torch.cat([b for _, b in parts], -2)
