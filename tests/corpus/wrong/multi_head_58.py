import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    B, S, C = x.shape
    q, k, v = ((x @ w).view(B, S, n_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    p = torch.softmax(q @ k.mT / (C // n_heads) ** 0.5, dim=-1)
    o = torch.stack([p[:, h] @ v[:, (h + 1) % n_heads] for h in range(n_heads)], dim=2)
    return o.reshape(B, S, C) @ w_o
