import numpy as np


def causal_attention(q, k, v):
    off = len(k) - len(q)
    rows = []
    for i in range(len(q)):
        n = i + off + 1
        idx = list(range(0, n // 4 * 4)) or [0]
        if n - 1 not in idx:
            idx.append(n - 1)
        s = k[idx] @ q[i] / q.shape[1] ** 0.5
        p = np.exp(s - s.max())
        rows.append(p @ v[idx] / p.sum())
    return np.stack(rows)
