import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    b, s, c = x.shape
    sp = lambda t: t.reshape(b, s, n_heads, c // n_heads).transpose(0, 2, 1, 3)
    q, k, v = map(sp, (x @ w_q, x @ w_k, x @ w_v))
    s_ = np.einsum("bhid,bhjd->bhij", q, k) * (c // n_heads) ** -0.5
    p = np.exp2(s_ - s_.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    return (p @ v).transpose(0, 2, 1, 3).reshape(b, s, c) @ w_o
