import torch


def flash_attention(q, k, v, causal=False, block_size=16):
    n, mk = q.shape[2], k.shape[2]
    outs, lses = [], []
    for qi in q.split(block_size, 2):
        m = torch.full(qi.shape[:3], -torch.inf)
        l, o = torch.zeros_like(m), torch.zeros(*m.shape, v.shape[-1])
        for j in range(0, mk, block_size):
            s = qi @ k[:, :, j:j + block_size].mT * q.shape[-1] ** -0.5
            if causal:
                s = s.masked_fill(torch.arange(j, j + s.shape[-1]) > torch.arange(s.shape[-2])[:, None] + mk - n, -torch.inf)
            mn = torch.maximum(m, s.amax(-1))
            r = torch.where(mn == -torch.inf, torch.zeros(()), mn)
            p, a = torch.exp(s - r[..., None]), torch.exp(m - r)
            l, o, m = l * a + p.sum(-1), o * a[..., None] + p @ v[:, :, j:j + block_size], mn
        outs.append(o / l.clamp_min(1e-30)[..., None])
        lses.append(m + l.log())
    return torch.cat(outs, 2), torch.cat(lses, 2)
