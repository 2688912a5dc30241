import torch


def gqa(q, k, v):
    """head h of the query uses kv head h // group"""
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, g, 1, 1), v.repeat(1, g, 1, 1)
    return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-2) @ v
