import numpy as np


def swa(q, k, v, window):
    """q, k, v: (S, D)。第 i 个 query 看 max(0, i-window+1) .. i。"""
    out = []
    for i in range(len(q)):
        lo = max(0, i + 1 - window)
        s = k[lo : i + 1] @ q[i] / np.sqrt(q.shape[1])
        e = np.exp(s - s.max())
        out.append(e @ v[lo : i + 1] / e.sum())
    return np.array(out)
