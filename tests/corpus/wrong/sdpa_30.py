import torch


def attn(query, key, value, mask=None):
    """query (B, T, d), key/value (B, S, d); mask (B, T, S) bool, True = attend"""
    scaled = query / query.size(-1) ** 0.5
    sim = torch.einsum("btd,bsd->bts", query, key)
    if mask is not None:
        sim = sim.masked_fill(mask.logical_not(), float("-inf"))
    sim = sim - sim.amax(dim=-1, keepdim=True)
    w = sim.exp()
    w = w / w.sum(dim=-1, keepdim=True)
    return torch.einsum("bts,bsd->btd", w, value)
