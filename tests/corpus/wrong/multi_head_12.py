import numpy as np


def multi_head(x, w_q, w_k, w_v, w_o, n_heads):
    """第 h 个头使用第 h*d .. h*d+d-1 个通道"""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    out = []
    for h in range(n_heads):
        qh, kh, vh = (t[:, :, h::n_heads] for t in (q, k, v))
        a = np.einsum("bid,bjd->bij", qh, kh) * qh.shape[-1] ** -0.5
        a = np.exp(a - a.max(axis=-1, keepdims=True))
        a /= a.sum(axis=-1, keepdims=True)
        out.append(a @ vh)
    return np.concatenate(out, -1) @ w_o
