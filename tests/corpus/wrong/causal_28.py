import numpy as np


def causal(q, k, v):
    # q, k, v: (S, D)
    n, m = len(q), len(k)
    A = q @ k.T
    A[np.triu(np.ones((n, m), bool), m - n + 1)] = -1e9
    A = np.exp(A - A.max(0))
    return (A / A.sum(0)) @ v
