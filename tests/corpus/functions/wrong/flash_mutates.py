import torch

TILE = 64


def flash_attn(q, k, v, causal=False):
    """q, k, v: (batch, seqlen, nheads, headdim)."""
    sq, sk = q.size(1), k.size(1)
    q *= q.size(-1) ** -0.5
    o = torch.zeros(*q.shape[:3], v.size(-1), dtype=torch.float32, device=q.device)
    den = torch.zeros(*q.shape[:3], dtype=torch.float32, device=q.device)
    top = torch.full_like(den, -torch.inf)
    row = torch.arange(sq, device=q.device).view(1, sq, 1, 1) + sk - sq
    for start in range(0, sk, TILE):
        end = min(start + TILE, sk)
        s = torch.einsum("bqhd,bkhd->bqhk", q.float(), k[:, start:end].float())
        if causal:
            col = torch.arange(start, end, device=q.device).view(1, 1, 1, -1)
            s = s.masked_fill(col > row, -torch.inf)
        new = torch.maximum(top, s.max(-1).values)
        ref = new.masked_fill(new == -torch.inf, 0)
        w = (s - ref.unsqueeze(-1)).exp()
        fade = (top - ref).exp()
        den = den * fade + w.sum(-1)
        o = o * fade.unsqueeze(-1) + torch.einsum("bqhk,bkhd->bqhd", w, v[:, start:end].float())
        top = new
    den = den.masked_fill(den == 0, 1)
    return (o / den.unsqueeze(-1)).to(q.dtype)
