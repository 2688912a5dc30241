import numpy as np


def grouped_attention(q, k, v, num_groups):
    """(B, H, S, D) 的 q；k、v 是 (B, num_groups, S, D)，同组相邻的 query 头共用。"""
    B, H, S, D = q.shape
    qg = q.reshape(B, num_groups, H // num_groups, S, D)
    z = np.matmul(qg, np.swapaxes(k, -1, -2)[:, :, None]) / np.sqrt(D)
    z = np.exp(z - z.max(-1, keepdims=True))
    z = z / z.sum(-1, keepdims=True)
    return np.matmul(z, v[:, :, None]).reshape(B, H, S, -1)
