import numpy as np


def attention(q, k, v):
    # 省内存：分数用半精度
    s = (q @ k.swapaxes(-1, -2)).astype(np.float16) / np.float16(np.sqrt(q.shape[-1]))
    s = s - s.max(axis=-1, keepdims=True)
    e = np.exp(s)
    e = e / e.sum(axis=-1, keepdims=True, dtype=np.float16)
    return (e @ v.astype(np.float16)).astype(np.float32)
