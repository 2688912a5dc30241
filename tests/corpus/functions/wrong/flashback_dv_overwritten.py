import torch


def flash_attention_backward(q, k, v, out, lse, d_out, causal=False, block_size=64):
    scale = q.shape[-1] ** -0.5
    dtype = q.dtype
    q, k, v, out, lse, d_out = (t.float() for t in (q, k, v, out, lse, d_out))
    n, m = q.shape[-2], k.shape[-2]
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    delta = (d_out * out).sum(-1, keepdim=True)
    norm = lse.masked_fill(lse == -torch.inf, torch.inf).unsqueeze(-1)
    for j in range(0, m, block_size):
        kj, vj = k[:, :, j : j + block_size], v[:, :, j : j + block_size]
        for i in range(0, n, block_size):
            rows = slice(i, min(i + block_size, n))
            s = q[:, :, rows] @ kj.mT * scale
            if causal:
                hidden = torch.arange(j, j + kj.shape[2]) > torch.arange(n)[rows, None] + m - n
                s = s.masked_fill(hidden, -torch.inf)
            p = torch.exp(s - norm[:, :, rows])
            dp = d_out[:, :, rows] @ vj.mT
            ds = p * (dp - delta[:, :, rows]) * scale
            dv[:, :, j : j + block_size] = p.mT @ d_out[:, :, rows]
            dk[:, :, j : j + block_size] += ds.mT @ q[:, :, rows]
            dq[:, :, rows] += ds @ kj
    return dq.to(dtype), dk.to(dtype), dv.to(dtype)
