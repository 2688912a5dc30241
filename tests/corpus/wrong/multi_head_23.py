import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    B, S, C = x.shape
    w = torch.cat([w_q, w_v, w_k], dim=1)
    q, k, v = (x @ w).view(B, S, 3, n_heads, C // n_heads).permute(2, 0, 3, 1, 4)
    s = q @ k.transpose(-1, -2) / (C // n_heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))  # True: may attend
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, S, C) @ w_o
