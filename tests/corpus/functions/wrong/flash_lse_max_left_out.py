import math

import torch


def flash_attention(q, k, v, causal=False, block_size=64):
    """Attention by tiles; returns (out, lse). A query that sees no key gives 0."""
    B, H, Sq, D = q.shape
    Sk = k.shape[2]
    scale = 1.0 / math.sqrt(D)
    out = torch.zeros(B, H, Sq, v.shape[-1], dtype=q.dtype)
    lse = torch.zeros(B, H, Sq, dtype=torch.float32)
    for i in range(0, Sq, block_size):
        qi = q[:, :, i : i + block_size].float()
        rows = qi.shape[2]
        m = torch.full((B, H, rows), -math.inf)
        l = torch.zeros(B, H, rows)
        acc = torch.zeros(B, H, rows, v.shape[-1])
        for j in range(0, Sk, block_size):
            kj = k[:, :, j : j + block_size].float()
            vj = v[:, :, j : j + block_size].float()
            s = qi @ kj.transpose(-2, -1) * scale
            if causal:
                r = torch.arange(i, i + rows)[:, None] + (Sk - Sq)
                c = torch.arange(j, j + kj.shape[2])[None, :]
                s = s.masked_fill(c > r, -math.inf)
            m_new = torch.maximum(m, s.amax(-1))
            m_use = torch.where(torch.isinf(m_new), torch.zeros_like(m_new), m_new)
            p = torch.exp(s - m_use[..., None])
            alpha = torch.exp(m - m_use)
            l = l * alpha + p.sum(-1)
            acc = acc * alpha[..., None] + p @ vj
            m = m_new
        out[:, :, i : i + block_size] = (acc / l.clamp_min(1e-38)[..., None]).to(q.dtype)
        lse[:, :, i : i + block_size] = l.log()
    return out, lse
