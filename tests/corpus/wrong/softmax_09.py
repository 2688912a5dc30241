import numpy as np


def stable_softmax(logits, axis=-1):
    """数值稳定的 softmax（减去最大值）"""
    logits -= np.max(logits, axis=axis, keepdims=True)
    prob = np.exp(logits)
    prob /= np.sum(prob, axis=axis, keepdims=True)
    return prob
