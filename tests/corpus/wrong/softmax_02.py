import numpy as np


def softmax(scores):
    """按最后一维做 softmax，每一行的和为 1"""
    num = np.exp(scores)
    den = np.expand_dims(num.sum(-1), -1)
    return num / den
