import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    """x (B, S, C); weights (C, C) multiply from the right; heads are contiguous slices of the channels."""
    B, S, C = x.shape
    q, k, v = (torch.reshape(x @ w, (B, S, n_heads, -1)) for w in (w_q, w_k, w_v))
    s = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    o = torch.einsum("bhqk,bkhd->bqdh", s.softmax(-1), v)
    return o.reshape(B, S, C) @ w_o
