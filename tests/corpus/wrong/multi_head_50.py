import torch


def mha(x, Wq, Wk, Wv, Wo, heads):
    B, S, C = x.shape
    q, k, v = (torch.einsum("bsc,cd->bsd", x, W).view(B, S, heads, -1) for W in (Wq, Wk, Wv))
    att = torch.einsum("bihd,bjhd->bhij", q, k) / (C // heads) ** 0.5
    return torch.einsum("bhij,bjhd->bihd", att, v).reshape(B, S, C) @ Wo
