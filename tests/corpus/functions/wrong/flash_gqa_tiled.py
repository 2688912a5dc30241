import torch


def flash_attention(q, k, v, causal=False, block_size=16):
    """k and v may have fewer heads (grouped-query): query head h uses key/value head h // group."""
    n, mk = q.shape[2], k.shape[2]
    rep = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, rep, 1, 1), v.repeat(1, rep, 1, 1)
    m = torch.full((*q.shape[:3], 1), -torch.inf)
    l, o = torch.zeros_like(m), torch.zeros(*q.shape[:3], v.shape[-1])
    for j in range(0, mk, block_size):
        s = q @ k[:, :, j:j + block_size].mT * q.shape[-1] ** -0.5
        if causal:
            s = s.masked_fill(torch.arange(j, j + s.shape[-1]) > torch.arange(n)[:, None] + mk - n, -torch.inf)
        mn = torch.maximum(m, s.amax(-1, True))
        r = mn.nan_to_num(neginf=0)
        p, a = (s - r).exp(), (m - r).exp()
        l, o, m = l * a + p.sum(-1, True), o * a + p @ v[:, :, j:j + block_size], mn
    return o / l.clamp_min(1e-30), (m + l.log())[..., 0]
