import numpy as np


def attention(Q, K, V, M=None):
    """M: (Sq, Sk) or broadcastable, additive (0 / -inf). 对数域计算。"""
    L = np.matmul(Q, np.moveaxis(K, -1, -2)) * np.power(Q.shape[-1], -0.5)
    if M is not None:
        L = L + M
    with np.errstate(all="ignore"):
        logZ = np.logaddexp.reduce(L, axis=-1, keepdims=True)
        W = np.where(np.isneginf(logZ), 0.0, np.exp(L - logZ))
    return np.matmul(W, V)
