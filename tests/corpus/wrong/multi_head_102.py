import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    q, k, v = ((x @ w).unflatten(-1, (n_heads, -1)).transpose(1, 2) for w in (w_q, w_k, w_v))
    s = q @ k.mT / q.shape[-1]
    if mask is not None:
        s.masked_fill(~mask, -torch.inf)
    return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ w_o
