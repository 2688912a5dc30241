import torch


def causal_flash_backward(q, k, v, out, lse, d_out, block_size=32):
    """Causal attention, bottom right."""
    dq, dk, dv = (torch.zeros_like(t) for t in (q, k, v))
    scale = q.shape[-1] ** -0.5
    off = k.shape[2] - q.shape[2]
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            delta = (d_out[b, h] * out[b, h]).sum(-1)
            for i in range(0, q.shape[2], block_size):
                e = min(i + block_size, q.shape[2])
                for j in range(0, min(e + off, k.shape[2]), block_size):
                    f = min(j + block_size, k.shape[2])
                    s = scale * (q[b, h, i:e] @ k[b, h, j:f].T)
                    seen = torch.arange(j, f) <= torch.arange(i, e).unsqueeze(1) + off
                    p = torch.where(seen, torch.exp(s - lse[b, h, i:e].unsqueeze(1)), 0.0)
                    ds = scale * p * (d_out[b, h, i:e] @ v[b, h, j:f].T - delta[i:e].unsqueeze(1))
                    dq[b, h, i:e] += ds @ k[b, h, j:f]
                    dk[b, h, j:f] += ds.T @ q[b, h, i:e]
                    dv[b, h, j:f] += p.T @ d_out[b, h, i:e]
    return dq, dk, dv
