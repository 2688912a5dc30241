import torch


def gqa(q, k, v):
    """q (B, S, H, D), k and v (B, T, G, D). jax style, no repeat at all."""
    B, S, H, D = q.shape
    G = k.shape[2]
    qg = q.reshape(B, S, G, H // G, D)
    w = torch.einsum("bsgrd,btgd->bgrst", qg, k) * D ** -0.5
    w = torch.softmax(w.float(), dim=-1).to(q.dtype)
    return torch.einsum("bgrst,btgd->bsgrd", w, v).reshape(B, S, H, v.shape[-1])
