import numpy as np

def attention(q, k, v, lengths=None):
    """q: [N, T, D]; lengths: 每个样本有效 key 的个数"""
    score = np.matmul(q, k.transpose(0, 2, 1)) / (q.shape[-1] ** 0.5)
    if lengths is not None:
        for b, n in enumerate(lengths):
            score[b, :, n:] = -np.inf
    score = score - score.max(-1, keepdims=True)
    p = np.exp(score)
    p = p / p.sum(-1, keepdims=True)
    return p @ v
