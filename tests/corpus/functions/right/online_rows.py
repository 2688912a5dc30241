import math

import numpy as np


def blockwise_softmax(x, block):
    """x: (N, C)"""
    y = np.empty_like(x)
    for r in range(x.shape[0]):
        m, d = -math.inf, 0.0
        for start in range(0, x.shape[1], block):
            piece = x[r, start : start + block]
            mb = float(piece.max())
            if mb > m:
                d *= math.exp(m - mb) if m > -math.inf else 0.0
                m = mb
            d += float(np.exp(piece - m).sum())
        y[r] = np.exp(x[r] - m) / d
    return y
