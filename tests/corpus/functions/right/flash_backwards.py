import torch


def causal_flash_attention(q, k, v, tile_size=32):
    """Causal attention, bottom right; walks over the keys from the end."""
    n, s = q.shape[-2], k.shape[-2]
    rows = torch.arange(s - n, s).unsqueeze(-1)
    m = torch.full((*q.shape[:-1], 1), -torch.inf)
    l, o = torch.zeros_like(m), torch.zeros(*q.shape[:-1], v.shape[-1])
    for j in reversed(range(0, s, tile_size)):
        x = (q @ k[..., j : j + tile_size, :].mT).float() / q.shape[-1] ** 0.5
        x = x.masked_fill(torch.arange(j, j + x.shape[-1]) > rows, -torch.inf)
        new = torch.maximum(m, x.amax(-1, keepdim=True))
        ref = torch.where(new.isinf(), 0.0, new)
        e = torch.exp(x - ref)
        f = torch.exp(m - ref)
        l = l * f + e.sum(-1, keepdim=True)
        o = o * f + e @ v[..., j : j + tile_size, :].float()
        m = new
    return torch.where(l > 0, o / l, 0.0).to(q.dtype), (m + l.log()).squeeze(-1)
