import numpy as np


def softmax(x, axis=-1):
    """clip 防止 exp 溢出"""
    x = np.clip(x, -5.0, 5.0)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
