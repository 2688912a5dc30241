import numpy as np
def attn(Q, K, V):
    """Q: (d_k, n_q), K: (d_k, n_k), V: (d_v, n_k); columns are tokens"""
    A = K.T @ Q / np.sqrt(Q.shape[0])
    A = np.exp(A - A.max(0))
    A = A / A.sum(0)
    return V @ A
