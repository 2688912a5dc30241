import torch

BLOCK = 64


def flash_attn_bwd(dout, q, k, v, out, lse):
    """All of (batch, seqlen, nheads, headdim); lse (batch, nheads, seqlen)."""
    c = q.shape[-1] ** -0.5
    delta = (dout * out).sum(-1).transpose(1, 2)
    dq = torch.zeros_like(q)
    dk, dv = [], []
    for kb, vb in zip(k.split(BLOCK, 1), v.split(BLOCK, 1)):
        p = (torch.einsum("bqhd,bkhd->bhqk", q * c, kb) - lse[..., None]).exp()
        dv.append(torch.einsum("bhqk,bqhd->bkhd", p, dout))
        ds = p * (torch.einsum("bqhd,bkhd->bhqk", dout, vb) - delta[..., None])
        dk.append(torch.einsum("bhqk,bqhd->bkhd", ds, q))
        dq = dq + torch.einsum("bhqk,bkhd->bqhd", ds, kb * c)
    return {"dq": dq, "dk": torch.cat(dk, 1), "dv": torch.cat(dv, 1)}
