import torch


def gqa(q, k, v):
    """head h of the query uses kv head h // group"""
    g = q.shape[1] // k.shape[1]
    k, v = torch.cat([k] * g, 1), torch.cat([v] * g, 1)
    return (q @ k.mT).softmax(-1) @ v
