import numpy as np


def causal_attention(q, k, v):
    n, off = len(q), len(k) - len(q)
    rows = []
    for i in range(1, n + 1):
        ks, vs = k[: i + off], v[: i + off]
        query = q[i - 2] if i > 1 else q[0]
        w = np.exp((s := ks @ query / q.shape[1] ** 0.5) - s.max())
        rows.append(w @ vs / w.sum())
    return np.array(rows)
