import torch


def flash_bwd(q, k, v, out, softmax_lse, dout, causal=False, block_m=64, block_n=32):
    sm_scale = q.shape[-1] ** -0.5
    delta = torch.einsum("bhid,bhid->bhi", out, dout)
    n, m = q.shape[2], k.shape[2]
    off = m - n

    def tile(i, j):
        qi, kj = q[:, :, i:i + block_m], k[:, :, j:j + block_n]
        s = torch.einsum("bhid,bhjd->bhij", qi, kj) * sm_scale
        p = torch.exp(s - softmax_lse[:, :, i:i + block_m, None])
        if causal:
            rows = torch.arange(i, i + qi.shape[2])[:, None] + off
            p = p.masked_fill(torch.arange(j, j + kj.shape[2])[None, :] > rows, 0.0)
        dp = torch.einsum("bhid,bhjd->bhij", dout[:, :, i:i + block_m], v[:, :, j:j + block_n])
        return p, p * (dp - delta[:, :, i:i + block_m, None]) * sm_scale

    dk, dv, dq = torch.zeros_like(k), torch.zeros_like(v), torch.zeros_like(q)
    for j in range(0, m, block_n):
        for i in range(0, n, block_m):
            p, ds = tile(i, j)
            dv[:, :, j:j + block_n] += torch.einsum("bhij,bhid->bhjd", p, dout[:, :, i:i + block_m])
            dk[:, :, j:j + block_n] += torch.einsum("bhij,bhid->bhjd", ds, q[:, :, i:i + block_m])
    for i in range(0, n, block_m):
        for j in range(0, m, block_n):
            dq[:, :, i:i + block_m] += torch.einsum("bhij,bhjd->bhid", tile(i, j)[1], k[:, :, j:j + block_n])
    return dq, dk, dv
