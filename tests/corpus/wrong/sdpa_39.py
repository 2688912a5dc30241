import numpy as np


def self_attention(Q, K, V):
    """Pure python loops. Q (n, d), K (m, d), V (m, e)"""
    n, d = Q.shape
    m = K.shape[0]
    A = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            A[i, j] = np.dot(Q[i], K[j]) / d ** 0.5
    W = np.zeros_like(A)
    for j in range(m):
        col = np.exp(A[:, j] - A[:, j].max())
        W[:, j] = col / col.sum()
    return W @ V
