import numpy as np


def attention_fp16(q, k, v):
    out = np.zeros(q.shape[:-1] + v.shape[-1:], dtype=np.float16)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            for i in range(q.shape[2]):
                s = k[b, h].astype(np.float32) @ q[b, h, i].astype(np.float32) / np.sqrt(np.float32(q.shape[-1]))
                e = np.exp(s - s.max())
                out[b, h, i] = (e @ v[b, h].astype(np.float32)) / e.sum()
    return out
