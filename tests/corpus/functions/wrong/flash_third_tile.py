import torch


def flash_attention(q, k, v, causal=False, block_size=16):
    n, mk = q.shape[2], k.shape[2]
    q = q * q.shape[-1] ** -0.5
    m = torch.full((*q.shape[:3], 1), -torch.inf)
    l, o = torch.zeros_like(m), torch.zeros(*q.shape[:3], v.shape[-1])
    for t, j in enumerate(range(0, mk, block_size)):
        s = q @ k[:, :, j:j + block_size].mT
        if causal:
            s = s.masked_fill(torch.arange(j, j + s.shape[-1]) > torch.arange(n)[:, None] + mk - n, -torch.inf)
        mn = torch.maximum(m, s.amax(-1, True))
        r = mn.nan_to_num(neginf=0)
        p, a = (s - r).exp(), (m - r).exp()
        l = l * a + p.sum(-1, True)
        o = o * (a if t < 2 else 1.0) + p @ v[:, :, j:j + block_size]
        m = mn
    return o / l.clamp_min(1e-30), (m + l.log())[..., 0]
