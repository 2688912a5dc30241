import torch


def gqa(q, k, v):
    """每组查询头共享同一个 KV 头。"""
    B, H, S, D = q.shape
    G = k.shape[1]
    qg = q.reshape(B, H // G, G, S, D)
    w = torch.einsum("brgsd,bgtd->brgst", qg, k) * D ** -0.5
    return torch.einsum("brgst,bgtd->brgsd", w.softmax(-1), v).reshape(B, H, S, -1)
