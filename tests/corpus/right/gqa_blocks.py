import torch


def gqa(q, k, v, block_size=32):
    B, H, S, D = q.shape
    Hkv, T = k.shape[1], k.shape[2]
    q = q.reshape(B, Hkv, H // Hkv, S, D) * D**-0.5
    m = torch.full((*q.shape[:-1], 1), -torch.inf, dtype=q.dtype)
    l = torch.zeros_like(m)
    o = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for t in range(0, T, block_size):
        s = q @ k[:, :, None, t : t + block_size].mT
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - new)
        a = torch.exp(m - new)
        l = l * a + p.sum(-1, keepdim=True)
        o = o * a + p @ v[:, :, None, t : t + block_size]
        m = new
    return (o / l).reshape(B, H, S, v.shape[-1])
