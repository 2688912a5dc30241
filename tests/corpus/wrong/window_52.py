import numpy as np


def swa(q, k, v, window):
    """(S, D): query i sees i-window+1 .. i"""
    out = []
    for i in range(len(q)):
        lo = max(i - window + 2, 0)
        lo = min(lo, i)
        s = k[lo:i + 1] @ q[i] / np.sqrt(q.shape[1])
        s = np.exp(s - s.max())
        out.append(s / s.sum() @ v[lo:i + 1])
    return np.stack(out)
