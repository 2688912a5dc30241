import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(x))


def linear_attention(q, k, v, causal=False):
    """先算出 S x S 的权重再归一化，便于核对。"""
    w = phi(q) @ phi(k).swapaxes(-1, -2)
    if causal:
        w = np.tril(w)
    return (w / w.sum(-1, keepdims=True)) @ v
