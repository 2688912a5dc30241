import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    q, k, v = (t.unflatten(-1, (n_heads, -1)).transpose(1, 2) for t in (x @ w_q, x @ w_k, x @ w_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = torch.where(mask, s, float("-inf"))
    return (s.softmax(-1) @ v).transpose(1, 2).flatten(-2)
