import numpy as np


def softmax(x):
    """每一行（最后一维）归一化"""
    np.exp(x, out=x)
    return x / x.sum(axis=0, keepdims=True)
