import numpy as np


def flash_attention(Q, K, V, Br=2, Bc=3):
    """Single head, numpy. Q (N, d), K (M, d), V (M, dv). Returns O, l, m."""
    N, d = Q.shape
    O = np.zeros((N, V.shape[1]))
    l = np.zeros(N)
    m = np.full(N, -np.inf)
    for j in range(0, K.shape[0], Bc):
        Kj, Vj = K[j:j+Bc], V[j:j+Bc]
        for i in range(0, N, Br):
            S = Q[i:i+Br] @ Kj.T / np.sqrt(d)
            mt = S.max(1)
            P = np.exp(S - mt[:, None])
            lt = P.sum(1)
            mn = np.maximum(m[i:i+Br], mt)
            a, b = np.exp(m[i:i+Br] - mn), np.exp(mt - mn)
            ln = a * l[i:i+Br] + b * lt
            O[i:i+Br] = ((l[i:i+Br] * a)[:, None] * O[i:i+Br] + b[:, None] * (P @ Vj)) / ln[:, None]
            l[i:i+Br], m[i:i+Br] = ln, mn
    return O, l, m
