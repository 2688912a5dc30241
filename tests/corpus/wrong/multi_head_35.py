import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    """mask: bool, True = may attend"""
    B, S, C = x.shape
    view = lambda t: t.view(B, S, n_heads, C // n_heads).transpose(1, 2)
    q, k, v = view(x @ w_q), view(x @ w_k), view(x @ w_v)
    w = torch.softmax(q @ k.transpose(2, 3) / (C // n_heads) ** 0.5, dim=-1)
    if mask is not None:
        w = w.masked_fill(~mask, 0)
    return (w @ v).transpose(1, 2).reshape(B, S, C) @ w_o
