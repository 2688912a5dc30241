import numpy as np


def attention(q, k, v):
    att = q @ k.transpose(0, 2, 1)
    att = np.exp(att - att.max(axis=-1, keepdims=True))
    att = att / att.sum(axis=-1, keepdims=True)
    return (att @ v) / np.sqrt(k.shape[-1])
