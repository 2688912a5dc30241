import math

import torch


def flash_attn_backward(q, k, v, o, lse, do, causal=False, block_size=32):
    """反向：用 lse 重算每一块的 P，额外内存 O(S)。"""
    c = 1 / math.sqrt(q.size(-1))
    D = (do.float() * o.float()).sum(dim=-1)
    dq = torch.zeros(q.shape, dtype=torch.float32)
    dks, dvs = [], []
    i = torch.arange(q.size(-2)).view(-1, 1) + k.size(-2) - q.size(-2)
    for start in range(0, k.size(-2), block_size):
        kb = k[..., start:start + block_size, :].float()
        vb = v[..., start:start + block_size, :].float()
        p = torch.exp(torch.matmul(q.float(), kb.transpose(-1, -2)) * c - lse.float().unsqueeze(-1))
        if causal:
            j = torch.arange(start, start + kb.size(-2))
            p = torch.where(j <= i, p, torch.zeros_like(p))
        ds = p * (torch.matmul(do.float(), vb.transpose(-1, -2)) - D.unsqueeze(-1))
        dq = torch.matmul(ds, kb) * c
        dks.append(torch.matmul(ds.transpose(-1, -2), q.float()) * c)
        dvs.append(torch.matmul(p.transpose(-1, -2), do.float()))
    return dq.to(q.dtype), torch.cat(dks, dim=-2).to(q.dtype), torch.cat(dvs, dim=-2).to(q.dtype)
