import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    b, s, c = x.shape
    heads = lambda w: (x @ w).reshape(b, s, n_heads, -1).swapaxes(1, 2)
    q, k, v = heads(w_q), heads(w_k), heads(w_v)
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = torch.where(mask, a, -torch.inf)
    return (a.softmax(-1) @ v).reshape(b, s, -1) @ w_o
