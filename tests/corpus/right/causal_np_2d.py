import numpy as np

def causal_self_attention(Q, K, V):
    """Q, K, V: (T, d) 单头，无 batch"""
    T, d = Q.shape
    out = np.zeros((T, V.shape[1]), dtype=Q.dtype)
    for t in range(T):
        s = K[:t + 1] @ Q[t] / np.sqrt(d)
        w = np.exp(s - s.max())
        out[t] = (w / w.sum()) @ V[:t + 1]
    return out
