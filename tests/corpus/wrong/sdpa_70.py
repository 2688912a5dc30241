import torch


def attention(q, k, v, mask=None):
    """mask: True = may attend."""
    logits = torch.matmul(q, k.mT) / q.shape[-1] ** 0.5
    if mask is not None:
        drop = mask.logical_not_()
        logits = logits.masked_fill(drop, float("-inf"))
    return torch.matmul(torch.softmax(logits, -1), v)
