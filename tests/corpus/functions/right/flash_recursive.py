import torch


def flash_attention(q, k, v, causal=False, block_size=64):
    """Recursive: split the keys in halves until they fit a tile, then merge."""
    scale = q.shape[-1] ** -0.5
    Sq, Sk = q.shape[-2], k.shape[-2]
    rows = torch.arange(Sq).unsqueeze(-1) + Sk - Sq

    def go(a, b):
        if b - a <= block_size:
            s = (q @ k[..., a:b, :].mT).float() * scale
            if causal:
                s = s.masked_fill(torch.arange(a, b) > rows, float("-inf"))
            m = s.amax(-1, keepdim=True)
            m0 = m.clamp_min(-1e30)
            p = (s - m0).exp()
            return p @ v[..., a:b, :].float(), p.sum(-1, keepdim=True), m
        mid = (a + b) // 2
        (o1, l1, m1), (o2, l2, m2) = go(a, mid), go(mid, b)
        m = torch.maximum(m1, m2)
        m0 = m.clamp_min(-1e30)
        a1, a2 = (m1 - m0).exp(), (m2 - m0).exp()
        return o1 * a1 + o2 * a2, l1 * a1 + l2 * a2, m

    o, l, m = go(0, Sk)
    out = torch.where(l > 0, o / l, 0.0)
    return out.to(q.dtype), (m + l.log()).squeeze(-1)
