import torch


def gqa(q, k, v):
    """键值头按取模方式分配：第 h 个查询头用第 h % n_kv 个键值头（平铺）。"""
    n = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, n, 1, 1), v.repeat(1, n, 1, 1)
    return torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, -1) @ v
