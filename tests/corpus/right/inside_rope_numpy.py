import numpy as np


def rotate(x):
    """相邻两维一对，旋转角 = 位置 * 10000^(-2i/d)。"""
    n, d = x.shape
    theta = np.arange(n)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    y = np.empty_like(x)
    y[:, 0::2] = x[:, 0::2] * np.cos(theta) - x[:, 1::2] * np.sin(theta)
    y[:, 1::2] = x[:, 0::2] * np.sin(theta) + x[:, 1::2] * np.cos(theta)
    return y


def attention(q, k, v):
    """带 RoPE 的单头注意力，q、k、v 形状 (n, d)"""
    z = rotate(q) @ rotate(k).T / np.sqrt(q.shape[1])
    z = np.exp(z - z.max(1, keepdims=True))
    return z / z.sum(1, keepdims=True) @ v
