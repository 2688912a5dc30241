import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    """x (B, S, C); weights (C, C), multiplied from the right; mask True = may attend."""
    B, S, C = x.shape
    d = C // n_heads
    q, k, v = ((x @ w).view(B, S, n_heads, d).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.mT / d**0.5
    if mask is not None:
        s = torch.where(mask, s, torch.full((), float("-inf"), dtype=s.dtype, device=s.device))
    dead = (s == float("-inf")).all(-1, keepdim=True)
    p = torch.softmax(torch.where(dead, torch.zeros_like(s), s), -1) * ~dead
    return (p @ v).transpose(1, 2).reshape(B, S, C) @ w_o
