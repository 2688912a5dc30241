from math import exp, sqrt

import numpy as np


def attention(Q, K, V):
    """No linear algebra, only loops. Q (n, d), K (m, d), V (m, e)."""
    n, d = Q.shape
    m, e = V.shape
    out = np.zeros((n, e), dtype=Q.dtype)
    for i in range(n):
        s = [sum(float(Q[i, t]) * float(K[j, t]) for t in range(d)) / sqrt(d) for j in range(m)]
        top = max(s)
        w = [exp(a - top) for a in s]
        z = sum(w)
        for c in range(e):
            out[i, c] = sum(w[j] / z * float(V[j, c]) for j in range(m))
    return out
