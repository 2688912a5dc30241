import torch
def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads, mask=None):
    B, S, C = x.shape
    d = w_q.shape[1] // n_heads
    q, k, v = ((x @ w).view(B, n_heads, S, d) for w in (w_q, w_k, w_v))
    s = q @ k.transpose(-1, -2) / d ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, S, -1) @ w_o
