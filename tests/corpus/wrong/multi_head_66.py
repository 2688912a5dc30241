import numpy as np


def mha(x, w_q, w_k, w_v, w_o, n_heads):
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    outs = []
    for q, k, v in zip(*(np.split(t, n_heads, axis=-1) for t in (Q, K, V))):
        a = q @ v.swapaxes(1, 2) / np.sqrt(q.shape[-1])
        a = np.exp(a - a.max(-1, keepdims=True))
        outs.append(a / a.sum(-1, keepdims=True) @ k)
    return np.concatenate(outs, axis=-1) @ w_o
