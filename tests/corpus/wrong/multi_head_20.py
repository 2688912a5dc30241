import numpy as np


def multi_head_attention(x, w_q, w_k, w_v, w_o, n_heads):
    # 残差连接
    b, s, c = x.shape
    t = lambda w: (x @ w).reshape(b, s, n_heads, c // n_heads).transpose(0, 2, 1, 3)
    q, k, v = t(w_q), t(w_k), t(w_v)
    z = q @ k.transpose(0, 1, 3, 2) / (c // n_heads) ** 0.5
    z = np.exp(z - z.max(3, keepdims=True))
    z = z / z.sum(3, keepdims=True)
    y = (z @ v).transpose(0, 2, 1, 3).reshape(b, s, c)
    return x + y @ w_o
