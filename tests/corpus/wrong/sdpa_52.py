import numpy as np


def attention(q, k, v):
    """输入 (B, S, D)，每个样本独立计算注意力"""
    b, s, d = q.shape
    qf, kf, vf = q.reshape(-1, d), k.reshape(-1, d), v.reshape(-1, v.shape[-1])
    z = qf @ kf.T / d ** 0.5
    z = np.exp(z - z.max(1, keepdims=True))
    z /= z.sum(1, keepdims=True)
    return (z @ vf).reshape(b, s, -1)
