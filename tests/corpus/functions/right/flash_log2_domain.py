import math
import torch


def flash_attention(q, k, v, causal=False, block_size=64):
    n, m, d = q.shape[-2], k.shape[-2], q.shape[-1]
    k2 = math.log2(math.e) / math.sqrt(d)
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=torch.float32)
    lse2 = torch.full(q.shape[:-1], -math.inf)
    pos = torch.arange(n)[:, None] + (m - n)
    for j in range(0, m, block_size):
        t = slice(j, min(m, j + block_size))
        for i in range(0, n, block_size):
            r = slice(i, min(n, i + block_size))
            s = torch.einsum("bhid,bhjd->bhij", q[..., r, :].float(), k[..., t, :].float()) * k2
            if causal:
                s = torch.where(torch.arange(t.start, t.stop) <= pos[r], s, -math.inf)
            top = s.amax(-1)
            top = torch.where(top.isinf(), 0.0, top)
            e = torch.exp2(s - top[..., None])
            tot = e.sum(-1)
            blk_lse = top + torch.log2(tot)
            blk = torch.einsum("bhij,bhjd->bhid", e, v[..., t, :].float()) / tot.clamp_min(1e-30)[..., None]
            new = torch.logaddexp2(lse2[..., r], blk_lse)
            ref = torch.where(new.isinf(), 0.0, new)
            out[..., r, :] = out[..., r, :] * torch.exp2(lse2[..., r] - ref)[..., None] + blk * torch.exp2(blk_lse - ref)[..., None]
            lse2[..., r] = new
    return out.to(q.dtype), lse2 * math.log(2.0)
