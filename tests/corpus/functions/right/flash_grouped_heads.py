import torch


def flash_attention(q, k, v, causal=False, block_size=64):
    """q (B, Hq, Sq, D); k, v may have fewer heads: query head h reads key/value head h // (Hq // Hkv)."""
    B, Hq, Sq, D = q.shape
    Hkv, Sk = k.shape[1:3]
    g = Hq // Hkv
    qg = q.reshape(B, Hkv, g, Sq, D) / D ** 0.5
    m = torch.full((B, Hkv, g, Sq, 1), -torch.inf, dtype=q.dtype)
    l = torch.zeros_like(m)
    o = torch.zeros(B, Hkv, g, Sq, v.shape[-1], dtype=q.dtype)
    for j in range(0, Sk, block_size):
        s = torch.einsum("bhgid,bhjd->bhgij", qg, k[:, :, j:j + block_size])
        if causal:
            s = s.masked_fill(torch.arange(j, j + s.shape[-1]) > torch.arange(Sq)[:, None] + Sk - Sq, -torch.inf)
        mn = torch.maximum(m, s.amax(-1, keepdim=True))
        z = mn.masked_fill(mn == -torch.inf, 0)
        p, a = (s - z).exp(), (m - z).exp()
        l = l * a + p.sum(-1, keepdim=True)
        o = o * a + torch.einsum("bhgij,bhje->bhgie", p, v[:, :, j:j + block_size])
        m = mn
    o = o / l.clamp_min(1e-30)
    return o.reshape(B, Hq, Sq, -1), (m + l.log()).reshape(B, Hq, Sq)
