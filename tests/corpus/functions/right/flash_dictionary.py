import torch


def flash_attention(q, k, v, block_size=32):
    out = torch.empty(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    lse = torch.empty(q.shape[:-1])
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            m, l, acc = None, None, None
            for kt, vt in zip(k[b, h].split(block_size), v[b, h].split(block_size)):
                s = (q[b, h] * q.shape[-1] ** -0.5) @ kt.T
                s = s.float()
                peak = s.max(1).values
                if m is None:
                    m = peak
                    e = torch.exp(s - m[:, None])
                    l, acc = e.sum(1), e @ vt.float()
                else:
                    new = torch.maximum(m, peak)
                    e = torch.exp(s - new[:, None])
                    f = torch.exp(m - new)
                    l, acc, m = l * f + e.sum(1), acc * f[:, None] + e @ vt.float(), new
            out[b, h] = (acc / l[:, None]).to(q.dtype)
            lse[b, h] = m + torch.log(l)
    return {"out": out, "lse": lse}
