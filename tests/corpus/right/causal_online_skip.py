import math

import torch


def causal_attention(q, k, v, block=4):
    """Key blocks that lie wholly in the future are skipped, the block on the diagonal is masked."""
    sq, sk, d = q.shape[-2], k.shape[-2], q.shape[-1]
    out_blocks = []
    for i0 in range(0, sq, block):
        qi = q[..., i0:i0 + block, :] / math.sqrt(d)
        pos_q = torch.arange(i0, i0 + qi.shape[-2], device=q.device) + sk - sq
        m = torch.full_like(qi[..., :1], -math.inf)
        l = torch.zeros_like(m)
        o = torch.zeros(*qi.shape[:-1], v.shape[-1], dtype=v.dtype, device=v.device)
        for j0 in range(0, sk, block):
            if j0 > int(pos_q[-1]):
                break
            kj, vj = k[..., j0:j0 + block, :], v[..., j0:j0 + block, :]
            pos_k = torch.arange(j0, j0 + kj.shape[-2], device=q.device)
            s = (qi @ kj.transpose(-1, -2)).masked_fill(pos_k[None, :] > pos_q[:, None], -math.inf)
            m2 = torch.maximum(m, s.amax(-1, keepdim=True).detach())
            base = torch.nan_to_num(m2, neginf=0.0)
            a, p = torch.exp(m - base), torch.exp(s - base)
            l = a * l + p.sum(-1, keepdim=True)
            o = a * o + p @ vj
            m = m2
        out_blocks.append(o / torch.where(l == 0, torch.ones_like(l), l))
    return torch.cat(out_blocks, dim=-2)
