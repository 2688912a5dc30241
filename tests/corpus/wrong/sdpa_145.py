import torch


def attention(q, k, v):
    """seq first: (S, B, D)"""
    logits = torch.einsum("ibd,jbd->bij", q, k) / q.shape[2]
    return torch.einsum("bij,jbd->ibd", logits.softmax(dim=2), v)
