import numpy as np


def scaled_dot_product(Q, K, V):
    """(B, H, S, D)"""
    A = np.einsum("bhid,bhjd->bhij", Q, K) / np.sqrt(Q.shape[-1])
    A = np.exp(A - A.max(axis=2, keepdims=True))
    A = A / A.sum(axis=2, keepdims=True)
    return np.einsum("bhij,bhjd->bhid", A, V)
