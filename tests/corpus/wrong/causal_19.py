import numpy as np


def causal(q, k, v):
    """因果注意力 (B, S, D)"""
    sq, sk = q.shape[1], k.shape[1]
    score = np.einsum("bik,bjk->bij", q, k)
    score[:, ~np.tril(np.ones((sq, sk), bool), sk - sq)] = -np.inf
    score -= score.max(-1, keepdims=True)
    w = np.exp(score)
    return np.einsum("bij,bjk->bik", w / w.sum(-1, keepdims=True), v)
