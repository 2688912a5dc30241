import numpy as np


def softmax(z):
    z = z - z.max(axis=1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=1, keepdims=True)


def attention(Q, K, V):
    # Q: (n, d)  K: (m, d)  V: (m, dv)
    A = Q @ K.T
    # A = A / np.sqrt(Q.shape[1])
    return softmax(A) @ V
