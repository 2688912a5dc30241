import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    """mask: bool，True = 可见"""
    b, s, c = x.shape
    q, k, v = ((x @ w).reshape(b, s, n_heads, -1) for w in (w_q, w_k, w_v))
    sim = torch.einsum("bihd,bjhd->bhij", k, q) * (c // n_heads) ** -0.5
    if mask is not None:
        sim = sim.masked_fill(~mask, float("-inf"))
    return torch.einsum("bhij,bjhd->bihd", torch.softmax(sim, -1), v).reshape(b, s, c) @ w_o
