import numpy as np


def softmax(t):
    t = np.exp(t - t.max(-1, keepdims=True))
    return t / t.sum(-1, keepdims=True)


def mha(X, Wq, Wk, Wv, Wo, num_heads):
    """多头注意力，权重右乘"""
    b, s, c = X.shape
    d = c // num_heads
    Q, K, V = [(X @ W).reshape(b, num_heads, s, d) for W in (Wq, Wk, Wv)]
    O = softmax(Q @ K.transpose(0, 1, 3, 2) / d ** 0.5) @ V
    return O.transpose(0, 2, 1, 3).reshape(b, s, c) @ Wo
