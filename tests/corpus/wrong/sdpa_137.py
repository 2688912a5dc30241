import numpy as np


def attention(q, k, v):
    out = np.zeros((q.shape[0], v.shape[1]), dtype=np.float32)
    for i in range(q.shape[0]):
        scores = [np.float32(q[i] @ kj) / np.float32(q.shape[1] ** 0.5) for kj in k]
        best = np.float32(0.0)
        for s in scores:            # 找最大值
            if s > best:
                best = s
        w = np.array([np.exp(s - best) for s in scores], dtype=np.float32)
        out[i] = (w / w.sum()) @ v
    return out
