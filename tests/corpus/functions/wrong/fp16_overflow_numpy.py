import numpy as np


def attention_fp16(q, k, v):
    s = np.matmul(q, np.swapaxes(k, -1, -2)).astype(np.float32) / np.sqrt(q.shape[-1])
    s = s - s.max(-1, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(-1, keepdims=True)
    return np.matmul(p, v.astype(np.float32)).astype(np.float16)
