import torch


def flash_attention(q, k, v, key_padding_mask=None, block_k: int = 128):
    """key_padding_mask: (B, S) where True means PAD -> masked out. q, k, v: (B, H, L, D)"""
    B, H, L, D = q.shape
    S = k.shape[2]
    m = torch.full((B, H, L), float("-inf"))
    l = torch.zeros(B, H, L)
    o = torch.zeros(B, H, L, v.shape[-1])
    for s0 in range(0, S, block_k):
        s1 = min(s0 + block_k, S)
        s = torch.matmul(q.float(), k[:, :, s0:s1].float().transpose(-2, -1)) * D ** -0.5
        if key_padding_mask is not None:
            s = s.masked_fill(key_padding_mask[:, None, None, s0:s1], float("-inf"))
        mn = torch.maximum(m, s.amax(-1))
        safe = torch.where(mn == float("-inf"), torch.zeros_like(mn), mn)
        p = torch.exp(s - safe[..., None])
        a = torch.exp(m - safe)
        l = l * a + p.sum(-1)
        o = o * a[..., None] + p @ v[:, :, s0:s1].float()
        m = mn
    return (o / l.clamp_min(1e-20)[..., None]).to(q.dtype), m + torch.log(l)
