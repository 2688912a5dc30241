import numpy as np


def backward_softmax(P, dP):
    """P, dP: (N, C)"""
    N, C = P.shape
    row = np.empty((N, 1), dtype=P.dtype)
    for n in range(N):
        row[n, 0] = np.dot(P[n], dP[n])
    return (P * (dP - row)).astype(P.dtype)
