import torch


def attention(q, k, v, mask=None):
    """mask (bool, True = keep). The paper uses sqrt(64) = 8."""
    logits = torch.matmul(q, k.mT) / 8.0
    if mask is not None:
        logits = logits + torch.zeros_like(logits).masked_fill(~mask, float("-inf"))
    return torch.matmul(torch.softmax(logits, -1), v)
