import numpy as np


def attn(Q, K, V, lengths=None):
    """批量注意力，最朴素的三重循环。lengths: (B,) 每个样本的有效 key 数。"""
    B, H, S, D = Q.shape
    T = K.shape[2]
    O = np.zeros((B, H, S, V.shape[3]), dtype=Q.dtype)
    for b in range(B):
        n = T if lengths is None else int(lengths[b])
        for h in range(H):
            for i in range(S):
                z = np.array([np.dot(Q[b, h, i], K[b, h, j]) for j in range(n)]) / np.sqrt(D)
                if n == 0:
                    continue
                z = np.exp(z - z.max())
                z /= z.sum()
                for j in range(n):
                    O[b, h, i] += z[j] * V[b, h, j]
    return O
