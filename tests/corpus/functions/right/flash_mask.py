import torch


def flash_attention(q, k, v, mask=None, block_size=8):
    """mask: boolean, True = may attend, (Sq, Sk) or broadcastable to it."""
    S = k.size(-2)
    m = torch.full(q.shape[:-1], float("-inf"))
    l = torch.zeros(q.shape[:-1])
    acc = torch.zeros(q.shape[:-1] + (v.size(-1),))
    for a in range(0, S, block_size):
        b = min(S, a + block_size)
        s = torch.matmul(q, k[..., a:b, :].transpose(-1, -2)).float() / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask[..., a:b], float("-inf"))
        mm = torch.max(m, s.max(dim=-1)[0])
        base = torch.where(mm == float("-inf"), torch.zeros_like(mm), mm)
        p = torch.exp(s - base.unsqueeze(-1))
        k_ = torch.exp(m - base)
        l = l * k_ + p.sum(-1)
        acc = acc * k_.unsqueeze(-1) + torch.matmul(p, v[..., a:b, :].float())
        m = mm
    out = acc / torch.clamp(l, min=1e-30).unsqueeze(-1)
    return out.to(q.dtype), m + torch.log(l)
